import { type Kysely, sql } from 'kysely';

/** The processes that use this database, and their rules. Each one's lock shows whether it is alive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table processes (
    id text primary key,
    team_id text not null,
    role text not null,
    version text not null,
    rules text not null,
    started_at timestamptz not null
  )`.execute(db);
}
