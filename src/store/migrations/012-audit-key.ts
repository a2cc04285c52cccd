import { type Kysely, sql } from 'kysely';

/** Which key a line's hash was made with; null for lines from before there were keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit add column key_id text`.execute(db);
}
