import type { Socket } from 'node:net';
import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Db, Tables } from './tables.ts';

/** Statements with different text that are kept prepared on a connection; beyond that they are parsed each time. */
const maxPrepared = 100;
const names = new Map<string, string>();

/**
 * A query layer over one connection at a time. Unlike in a transaction of Kysely's, statements do not wait for each
 * other's answer: what is asked in one turn goes out in one packet, and each statement is prepared once.
 */
export class OneConnection {
  readonly db: Db;
  #client: pg.PoolClient | null = null;

  constructor(plugins: KyselyPlugin[]) {
    const connection = {
      query: (text: string, values: readonly unknown[]) => this.send(text, values),
      release: () => undefined,
    };
    const pool = { connect: async () => connection, end: async () => undefined };
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }), plugins });
  }

  /** Null when it is given back. */
  use(client: pg.PoolClient | null): void {
    this.#client = client;
  }

  sendCompiled({ sql, parameters }: CompiledQuery): Promise<unknown> {
    return this.send(sql, parameters);
  }

  /** Goes out before everything that is asked later, whether or not its answer is waited for. */
  send(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const client = this.#client;
    if (client === null) throw new TypeError('there is no connection');
    inOnePacket(client);
    if (values.length === 0) return client.query(text);
    const name = nameOf(text);
    return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxPrepared) return known;
  const name = `countersign_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const corked = new WeakSet<Socket>();

/** Holds back what is written until the end of this turn. */
function inOnePacket(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  setImmediate(() => {
    corked.delete(stream);
    stream.uncork();
  });
}
