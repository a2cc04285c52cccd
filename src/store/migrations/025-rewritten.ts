import { type Kysely, sql } from 'kysely';

/** A message that was changed after it was queued: whoever queues it once more does not bring the old one back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table outbox add column rewritten boolean not null default false').execute(db);
}
