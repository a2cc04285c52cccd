import { type Kysely, sql } from 'kysely';

/** What a run that is entered again has to know: who has it, what was noted, and how often a write was attempted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column executor text, add column entered integer not null default 0`.execute(
    db,
  );
  await sql`alter table step_results add column notes jsonb`.execute(db);
  await sql`alter table writes add column attempts integer not null default 1, add column executor text`.execute(
    db,
  );
}
