import { type Kysely, sql } from 'kysely';

/** Which processes work on this database, and by which rules. Whether one lives, its lock tells. */
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
