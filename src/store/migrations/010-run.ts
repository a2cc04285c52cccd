import { type Kysely, sql } from 'kysely';

/** State for resuming a run: its holder, its notes, and the number of attempts at each write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column executor text, add column entered integer not null default 0`.execute(
    db,
  );
  await sql`alter table step_results add column notes jsonb`.execute(db);
  await sql`alter table writes add column attempts integer not null default 1, add column executor text`.execute(
    db,
  );
}
