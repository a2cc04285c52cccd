import { type Kysely, sql } from 'kysely';

/** Marks a message that was changed after it was queued: queueing it again does not bring the old one back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table outbox add column rewritten boolean not null default false').execute(db);
}
