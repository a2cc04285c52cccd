import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * A connection between a process and a server: it can be cut, which both ends notice, or go silent, which neither
 * notices until one of them times out.
 */
export class Link {
  /** Its target; may change when a server comes back on another port. */
  target: number;
  /** Milliseconds that everything takes in each direction, for connections from now on. */
  delayMs = 0;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #state: 'up' | 'cut' | 'silent' = 'up';

  private constructor(target: number) {
    this.target = target;
    this.#server = createServer({ noDelay: true }, (near) => this.#join(near));
  }

  static async to(target: number): Promise<Link> {
    const link = new Link(target);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  cut(): void {
    this.#state = 'cut';
    this.#drop();
  }

  silence(): void {
    this.#state = 'silent';
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** A silent connection breaks now, as if its packets had been lost for too long. */
  heal(): void {
    if (this.#state === 'silent') this.#drop();
    this.#state = 'up';
  }

  async close(): Promise<void> {
    this.#drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #drop(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  #join(near: Socket): void {
    if (this.#state === 'cut') return void near.destroy();
    // Without this, small packets wait up to 40 ms for an acknowledgement of the one before.
    const far = createConnection({ host: '127.0.0.1', port: this.target, noDelay: true });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const over = () => {
      near.destroy();
      far.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of pair) socket.on('error', over).on('close', over);
    carry(near, far, this.delayMs);
    carry(far, near, this.delayMs);
    if (this.#state === 'silent') for (const socket of pair) socket.pause();
  }
}

/** Timers of one length fire in order, so late bytes keep theirs. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  if (delayMs === 0) from.pipe(to);
  else from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs));
}
