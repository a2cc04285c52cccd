import { sql } from 'kysely';
import type { Db, ProcessRow } from './tables.ts';

/** Notes that a process works in a workspace; those that are gone are forgotten on this occasion. */
export async function register(db: Db, process: ProcessRow): Promise<void> {
  await sql`delete from processes where not (${isAlive})`.execute(db);
  await db
    .insertInto('processes')
    .values(process)
    // As after a workspace was left and the bot installed there again.
    .onConflict((conflict) => conflict.columns(['id', 'teamId']).doUpdateSet(process))
    .execute();
}

/** Those whose lock is held at this moment, oldest first. */
export async function living(db: Db): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select * from processes where ${isAlive} order by started_at, id`.execute(db);
  return rows;
}

const isAlive = sql<boolean>`exists (
  select from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and (classid::bigint << 32 | objid::bigint) = hashtextextended('executor:' || processes.id, 0)
    and database = (select oid from pg_database where datname = current_database()))`;
