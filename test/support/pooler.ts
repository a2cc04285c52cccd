import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';

export type PoolMode = 'session' | 'transaction';

/** A pooler as PgBouncer is one: its clients are lent connections to Postgres, for a session or for a transaction. */
export async function startPooler(
  url: string,
  mode: PoolMode,
): Promise<{ url: string; close(): Promise<void> }> {
  const pool = new Pool(url);
  const clients = new Set<Socket>();
  const server: Server = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    new Lending(client, pool, mode);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await pool.close();
    },
  };
}

/** Connections to Postgres; the one that came back last is lent first. */
class Pool {
  readonly #url: string;
  readonly #all: pg.Client[] = [];
  readonly #idle: Socket[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async take(): Promise<Socket> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => undefined);
    this.#all.push(client);
    await client.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    return stream;
  }

  giveBack(socket: Socket): void {
    socket.removeAllListeners('data');
    this.#idle.push(socket);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((client) => client.end()));
  }
}

/** One client of the pooler, with the connection that it has at the moment. */
class Lending {
  readonly #client: Socket;
  readonly #pool: Pool;
  readonly #mode: PoolMode;
  #lent: Promise<Socket> | null = null;
  /** Queries and syncs that Postgres has not answered yet. */
  #open = 0;

  constructor(client: Socket, pool: Pool, mode: PoolMode) {
    this.#client = client;
    this.#pool = pool;
    this.#mode = mode;
    client.on('error', () => undefined);
    client.once('data', () => {
      client.write(Buffer.from([...message('R', [0, 0, 0, 0]), ...message('Z', [0x49])]));
      const split = messages((type, bytes) => this.#forward(type, bytes));
      client.on('data', split);
      client.on('close', () => void this.#release());
    });
  }

  #forward(type: string, bytes: Buffer): void {
    if (type === 'X') return;
    if (type === 'Q' || type === 'S') this.#open += 1;
    this.#lent ??= this.#borrow();
    void this.#lent.then((server) => server.write(bytes));
  }

  async #borrow(): Promise<Socket> {
    const server = await this.#pool.take();
    server.on(
      'data',
      messages((type, bytes) => {
        this.#client.write(bytes);
        if (type !== 'Z') return;
        this.#open -= 1;
        const isOver = this.#open === 0 && bytes.toString('latin1', 5) === 'I';
        if (isOver && this.#mode === 'transaction') void this.#release();
      }),
    );
    return server;
  }

  async #release(): Promise<void> {
    const lent = this.#lent;
    this.#lent = null;
    if (lent !== null) this.#pool.giveBack(await lent);
  }
}

function message(type: string, body: readonly number[]): number[] {
  return [type.charCodeAt(0), 0, 0, 0, body.length + 4, ...body];
}

/** Cuts a stream into the messages of Postgres' protocol. */
function messages(each: (type: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1;
      each(String.fromCharCode(rest[0] ?? 0), rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
