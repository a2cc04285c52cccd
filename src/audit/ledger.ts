import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import type pg from 'pg';
import * as outbox from '../store/outbox.ts';
import { prepared } from '../store/prepared.ts';
import type { Db, Tables } from '../store/tables.ts';
import * as audit from './chain.ts';
import { eventsOf } from './feed.ts';
import { keysOf } from './key.ts';

/** A job's result and the audit lines that commit with it. */
export interface Done<T> {
  readonly value: T;
  readonly lines: readonly audit.AuditEntry[];
}

export type Work<T> = (trx: Db) => Promise<Done<T>>;

/**
 * Statements that travel with the commit, on its connection: they find what it stored, or nothing where it failed, and
 * then they are sent once more with the next attempt. Must send all of them before it waits for anything.
 */
export type Behind = (connection: Db) => Promise<unknown>;

interface Job {
  readonly teamId: string;
  readonly work: Work<unknown>;
  readonly behind: Behind | undefined;
  readonly end: { resolve(value: unknown): void; reject(error: unknown): void };
}

/** Maximum number of jobs per transaction, so that the first does not wait long for the last. */
const maxBatch = 32;
const ledgers = new WeakMap<Db, Ledger>();

/** Enables `audited` on this database; called once, when it is opened. */
export function openLedger(db: Db, pool: pg.Pool, plugins: KyselyPlugin[]): void {
  ledgers.set(db, new Ledger(pool, plugins));
}

/**
 * Runs a job and its audit lines in one transaction, and resolves when both are on disk. The team's chain is locked
 * before the job reads anything: no line can overtake what it read, and nobody waits for the chain while holding rows.
 * Concurrent jobs share a transaction, because each waits for the chain and the disk; if one fails all are rolled back
 * and run one by one, so a job may run twice. Their statements interleave: a rule that involves two statements must
 * hold within one of them or as a constraint.
 */
export function audited<T>(db: Db, teamId: string, work: Work<T>, behind?: Behind): Promise<T> {
  if (db.isTransaction) return inside(db, teamId, work);
  const ledger = ledgers.get(db);
  if (ledger === undefined) throw new TypeError('this database was not opened by openDatabase');
  return ledger.add(teamId, work, behind);
}

/** Inside another transaction it commits with that. */
async function inside<T>(trx: Db, teamId: string, work: Work<T>): Promise<T> {
  await audit.lockChain(trx, teamId);
  const { value, lines } = await work(trx);
  for (const line of lines) await audit.append(trx, line);
  await outbox.enqueueAll(trx, eventsOf(trx, lines));
  return value;
}

/** A connection that cannot even roll back is discarded. */
function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

class Ledger {
  readonly #pool: pg.Pool;
  readonly #on: OneConnection;
  #waiting: Job[] = [];
  #isBusy = false;

  constructor(pool: pg.Pool, plugins: KyselyPlugin[]) {
    this.#pool = pool;
    this.#on = new OneConnection(plugins);
  }

  add<T>(teamId: string, work: Work<T>, behind?: Behind): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const end = { resolve: (value: unknown) => resolve(value as T), reject };
    this.#waiting.push({ teamId, work, behind, end });
    if (!this.#isBusy) void this.#drain();
    return promise;
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) await this.#settle(this.#waiting.splice(0, maxBatch));
    this.#isBusy = false;
  }

  async #settle(jobs: readonly Job[]): Promise<void> {
    try {
      const values = await this.#together(jobs);
      jobs.forEach(({ end }, index) => {
        end.resolve(values[index]);
      });
    } catch (error) {
      if (jobs.length === 1) jobs[0]?.end.reject(error);
      else for (const job of jobs) await this.#settle([job]);
    }
  }

  async #together(jobs: readonly Job[]): Promise<unknown[]> {
    const client = await this.#pool.connect();
    this.#on.use(client);
    try {
      const values = await this.#transact(jobs);
      client.release();
      return values;
    } catch (error) {
      client.release(!(await rolledBack(client)));
      throw error;
    } finally {
      this.#on.use(null);
    }
  }

  async #transact(jobs: readonly Job[]): Promise<unknown[]> {
    const { db } = this.#on;
    // Always in the same order, or two processes could deadlock on each other's chains.
    const teams = [...new Set(jobs.map(({ teamId }) => teamId))].sort();
    const [begun, locks] = [this.#on.send('begin'), teams.map((teamId) => this.#lock(teamId))];
    const heads = teams.map((teamId) => audit.headOf(db, teamId));
    const works = jobs.map(({ work }) => work(db));
    // Waits for all before throwing the first error: nothing may continue in a transaction that is rolled back.
    await Promise.allSettled([begun, ...locks, ...heads, ...works]);
    await Promise.all([begun, ...locks]);
    const [places, done] = [await Promise.all(heads), await Promise.all(works)];
    const lines = done.flatMap((each) => each.lines);
    const keys = keysOf(db);
    const rows = places.flatMap((head, index) =>
      audit.chained(
        head,
        lines.filter(({ teamId }) => teamId === teams[index]),
        keys,
      ),
    );
    const inserted = rows.length === 0 ? begun : this.#on.sendCompiled(audit.insertion(db, rows));
    const events = eventsOf(db, lines);
    const told = events.length === 0 ? begun : this.#on.sendCompiled(outbox.insertion(db, events));
    const committed = this.#on.send('commit');
    await Promise.allSettled([inserted, told, committed, ...jobs.map(({ behind }) => behind?.(db))]);
    await Promise.all([inserted, told]);
    const { command } = await committed;
    if (command !== 'COMMIT') throw new TypeError(`the transaction ended with ${command}`);
    return done.map(({ value }) => value);
  }
  #lock(teamId: string): Promise<unknown> {
    return this.#on.sendCompiled(audit.chainLock(this.#on.db, teamId));
  }
}

/**
 * A query layer over one connection at a time. Unlike in a Kysely transaction, statements do not wait for each other's
 * results: a run goes out in 12 packets instead of 32, and with a database 10 ms away takes 220 ms instead of 580.
 */
class OneConnection {
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
