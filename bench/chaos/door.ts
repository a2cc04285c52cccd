import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands in front of several fronts like a load balancer: each connection goes to the next one that accepts it. */
export class Door {
  /** Ports of the fronts. */
  targets: readonly number[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #next = 0;

  private constructor() {
    this.#server = createServer((from) => {
      this.#keep(from);
      void this.#lead(from);
    });
  }

  static async open(): Promise<Door> {
    const door = new Door();
    door.#server.listen(0, '127.0.0.1');
    await once(door.#server, 'listening');
    return door;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #lead(from: Socket): Promise<void> {
    for (let tried = 0; tried < this.targets.length; tried += 1) {
      this.#next += 1;
      const to = connect(this.targets[this.#next % this.targets.length] ?? 0, '127.0.0.1');
      this.#keep(to);
      const taken = await once(to, 'connect').then(
        () => true,
        () => false,
      );
      if (!taken) continue;
      from.pipe(to).pipe(from);
      from.once('close', () => to.destroy());
      to.once('close', () => from.destroy());
      return;
    }
    from.destroy();
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#open.delete(socket));
  }
}
