import { sql } from 'kysely';
import type { Db, ProcessRow } from './tables.ts';

/** Registers a process in a workspace, and removes dead ones. */
export async function register(db: Db, process: ProcessRow): Promise<void> {
  await sql`delete from processes where ${sql.raw(lockOf('id'))} not in (${heldLocks})`.execute(db);
  await db
    .insertInto('processes')
    .values(process)
    // Happens when a workspace is left and the bot is installed there again.
    .onConflict((conflict) => conflict.columns(['id', 'teamId']).doUpdateSet(process))
    .execute();
}

/** Processes whose lock is held now, oldest first. */
export async function living(db: Db): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select * from processes where ${sql.raw(lockOf('id'))} in (${heldLocks}) order by started_at, id`.execute(
    db,
  );
  return rows;
}

/** Whether a process is alive, according to the server. */
export async function isAlive(db: Db, processId: string): Promise<boolean> {
  const { rows } = await sql<{ alive: boolean }>`
    select ${sql.raw(lockOf('id'))} in (${heldLocks}) as alive from (select ${processId}::text as id) process`.execute(
    db,
  );
  return rows[0]?.alive === true;
}

/** The lock a process holds as long as it lives (`process/lock.ts`), as SQL; `id` is SQL for its id. */
export function lockOf(id: string): string {
  return `hashtextextended('executor:' || ${id}, 0)`;
}

export const heldLocks = sql`
  select (classid::bigint << 32 | objid::bigint) as lock from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`;
