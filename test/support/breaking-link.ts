import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** Stands between a bot and a Postgres, and can break every connection as a crash of the server does. */
export class BreakingLink {
  readonly #near = new Set<Socket>();
  #target = 0;
  readonly #server = createServer((near) => {
    const far = createConnection(this.#target, '127.0.0.1');
    this.#near.add(near);
    near.once('close', () => {
      this.#near.delete(near);
      far.destroy();
    });
    far.once('close', () => near.destroy());
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });

  /** Resolves with the address by which a database is reached through here. */
  async to(databaseUrl: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const [url, address] = [new URL(databaseUrl), this.#server.address()];
    this.#target = Number(url.port);
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    return url.href;
  }

  break(): void {
    for (const socket of this.#near) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.break();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
