import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { carryFeed } from '../audit/feed.ts';
import { type AuditKeys, carryKeys, noAuditKeys } from '../audit/key.ts';
import { openLedger } from '../audit/ledger.ts';
import type { Log } from '../core/log.ts';
import { unreachable } from './connection-errors.ts';
import { grantUse, roleOf } from './database-roles.ts';
import { migrate } from './migrate.ts';
import { PreparingClient } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

export type OnStatement = (seconds: number, outcome: 'ok' | 'error') => void;

export interface DatabaseOptions {
  /** Connection string; may hold a password, so it is never logged. */
  readonly url: string;
  /** Maximum number of connections; the default is 10. */
  readonly max?: number;
  readonly log: Log;
  /** Called after each statement. */
  readonly onStatement?: OnStatement | undefined;
  /** Sign new lines of the audit log. */
  readonly auditKeys?: AuditKeys;
  /** Stores what happens to plans as events for another system. */
  readonly feeds?: boolean;
  /** URL for the role that owns the tables, where that is a separate one: it migrates them and grants the bot's role access. */
  readonly ownerUrl?: string | undefined;
}

/**
 * Opens a pool on Postgres and migrates the tables. `db.destroy()` closes it.
 * Throws StoreError `database_unreachable`, `database_newer`, `migration_failed`.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  const { url, max = 10, log, ownerUrl, auditKeys = noAuditKeys, onStatement, feeds = false } = options;
  const db = await connect({ url, max, log, onStatement, feeds }, auditKeys);
  try {
    const applied =
      ownerUrl === undefined ? await migrate(db) : await migrateAs(ownerUrl, await roleOf(db), log);
    if (applied.length > 0) log.info({ applied }, 'database brought up to date');
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function migrateAs(url: string, role: string, log: Log): Promise<string[]> {
  const db = await connect({ url, max: 1, log }, noAuditKeys);
  try {
    return await migrate(db, async (connection) => {
      if ((await roleOf(connection)) === role) return;
      await grantUse(connection, role);
    });
  } finally {
    await db.destroy();
  }
}

/** A pool, whether or not its tables exist yet. */
export async function connect(
  options: PoolOptions & Pick<DatabaseOptions, 'onStatement' | 'feeds'> & { idleMs?: number },
  keys: AuditKeys,
): Promise<Db> {
  const pool = openPool(options);
  const carried = [carryKeys(keys), ...(options.feeds === true ? [carryFeed()] : [])];
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true }), ...carried];
  const { onStatement } = options;
  const db = new Kysely<Tables>({
    ...{ dialect: new PostgresDialect({ pool }), plugins },
    ...(onStatement === undefined
      ? {}
      : {
          log: ({ level, queryDurationMillis: ms }) =>
            onStatement(ms / 1_000, level === 'error' ? 'error' : 'ok'),
        }),
  });
  openLedger(db, pool, plugins);
  try {
    // Goes through `db`, which closes only what it has used.
    await sql`select 1`.execute(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw unreachable(options.url, error);
  }
}

type PoolOptions = Required<Pick<DatabaseOptions, 'url' | 'max' | 'log'>>;

/** One permanently open connection, for statements that must not wait for a free one. Its tables must already exist. */
export function connectAside(url: string, log: Log): Promise<Db> {
  return connect({ url, max: 1, log, idleMs: 0 }, noAuditKeys);
}

/**
 * Postgres plans a statement once per connection instead of for the values of each of the first five calls. So the
 * condition of a partial index, and the number of rows wanted, must be literals in the statement (`sql.lit`).
 */
export const planOnce = 'set plan_cache_mode = force_generic_plan';

function openPool({ url, max, log, idleMs = 10_000 }: PoolOptions & { idleMs?: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    types: { getTypeParser },
    Client: PreparingClient,
  });
  pool.on('connect', (client) => {
    // The pool listens only while a connection is idle, and without a listener the event would end the process. While it
    // is in use, a break fails the statements under way and those after it.
    client.on('error', () => undefined);
    // A connection that breaks here fails the caller that requested it.
    client.query(planOnce).catch(() => undefined);
  });
  // The pool replaces an idle connection that breaks; without a listener the event would end the process. While the
  // pool closes, connections may still be open when the embedded server stops: nothing to report.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'an idle database connection broke');
  });
  return pool;
}

/** Our 64-bit numbers are counters far below 2^53, so they are parsed as numbers, not text. */
function getTypeParser(oid: number): (value: string) => unknown {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid);
}
