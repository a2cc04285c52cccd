import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StoreError } from './errors.ts';
import * as requests from './migrations/001-requests.ts';
import * as runs from './migrations/002-runs.ts';
import * as audit from './migrations/003-audit.ts';
import * as outbox from './migrations/004-outbox.ts';
import * as switches from './migrations/005-switches.ts';
import * as playbooks from './migrations/006-playbooks.ts';
import * as taken from './migrations/007-taken.ts';
import * as retention from './migrations/008-retention.ts';
import * as inbox from './migrations/009-inbox.ts';
import * as run from './migrations/010-run.ts';
import * as growth from './migrations/011-growth.ts';
import * as auditKey from './migrations/012-audit-key.ts';
import * as askedAbout from './migrations/013-asked-about.ts';
import * as approvals from './migrations/014-approvals.ts';
import * as nudges from './migrations/016-nudges.ts';
import * as reads from './migrations/017-reads.ts';
import * as joined from './migrations/018-joined.ts';
import * as processes from './migrations/019-processes.ts';
import * as watches from './migrations/020-watches.ts';
import * as incidents from './migrations/021-incidents.ts';
import * as standingApprovals from './migrations/022-standing-approvals.ts';
import * as installations from './migrations/023-installations.ts';
import * as glass from './migrations/024-glass.ts';
import * as rewritten from './migrations/025-rewritten.ts';
import * as ended from './migrations/026-ended.ts';
import * as alerts from './migrations/027-alerts.ts';
import * as agents from './migrations/028-agents.ts';
import * as checks from './migrations/029-checks.ts';
import * as shadowPlans from './migrations/030-shadow-plans.ts';
import * as agentGroups from './migrations/031-agent-groups.ts';
import * as ratings from './migrations/032-ratings.ts';
import type { Db } from './tables.ts';

const MIGRATIONS: Record<string, Migration> = {
  '001-requests': requests,
  '002-runs': runs,
  '003-audit': audit,
  '004-outbox': outbox,
  '005-switches': switches,
  '006-playbooks': playbooks,
  '007-taken': taken,
  '008-retention': retention,
  '009-inbox': inbox,
  '010-run': run,
  '011-growth': growth,
  '012-audit-key': auditKey,
  '013-asked-about': askedAbout,
  '014-approvals': approvals,
  '016-nudges': nudges,
  '017-reads': reads,
  '018-joined': joined,
  '019-processes': processes,
  '020-watches': watches,
  '021-incidents': incidents,
  '022-standing-approvals': standingApprovals,
  '023-installations': installations,
  '024-glass': glass,
  '025-rewritten': rewritten,
  '026-ended': ended,
  '027-alerts': alerts,
  '028-agents': agents,
  '029-checks': checks,
  '030-shadow-plans': shadowPlans,
  '031-agent-groups': agentGroups,
  '032-ratings': ratings,
};
const MIGRATION_LOCK = 7_201_000;

/**
 * Migrates the tables and returns the names of the migrations run. Processes that start together wait for the first;
 * `more` runs under the same lock. Throws StoreError `database_newer`, `migration_failed`.
 */
export function migrate(db: Db, more?: (connection: Db) => Promise<void>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    try {
      const applied = await appliedMigrations(connection);
      refuseNewer(applied);
      // A role that may not change tables can still start on current ones.
      const isCurrent = Object.keys(MIGRATIONS).every((name) => applied.includes(name));
      const fresh = isCurrent ? [] : await migrateThrough(connection);
      await more?.(connection);
      return fresh;
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
    }
  });
}

/** Up to and including `last`; all if absent. */
async function migrateThrough(db: Db, last?: string): Promise<string[]> {
  // The plugins are for our tables; the migrator's tables use other naming.
  const provider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
  const migrator = new Migrator({ db: db.withoutPlugins(), provider });
  const { error, results = [] } = await (last === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(last));
  if (error === undefined) return results.map((result) => result.migrationName);
  const failed = results.find((result) => result.status === 'Error')?.migrationName ?? 'unknown';
  throw new StoreError(
    'migration_failed',
    `The database could not be brought up to date at ${failed}.`,
    { failed },
    error,
  );
}

/**
 * Brings an empty database to an earlier state, from which `migrate` continues. Throws StoreError `backup_newer` for
 * migrations unknown to this version, `migration_failed`.
 */
export async function migrateTo(db: Db, wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) {
    const message = `The backup was made by a newer Countersign (it has ${unknown.join(', ')}); restore it with that version.`;
    throw new StoreError('backup_newer', message, { unknown });
  }
  await db.connection().execute((connection) => migrateThrough(connection, [...wanted].sort().at(-1)));
}

/** Names of the migrations applied to a database, oldest first. */
export async function appliedMigrations(db: Kysely<unknown> | Db): Promise<string[]> {
  const table = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

function refuseNewer(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length === 0) return;
  throw new StoreError(
    'database_newer',
    `The database was written by a newer Countersign (it has ${unknown.join(', ')}); start that version, or restore a backup.`,
    { unknown },
  );
}
