import { type Kysely, sql } from 'kysely';

/** Indexes to find everything belonging to an old request, so that it can be removed without full table scans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index outbox_by_conversation on outbox (team_id, conversation)`.execute(db);
  await sql`create index outbox_by_age on outbox (team_id, created_at) where state <> 'pending'`.execute(db);
  await sql`create index runs_by_request on runs (team_id, request_id)`.execute(db);
}
