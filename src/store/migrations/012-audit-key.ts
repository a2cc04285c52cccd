import { type Kysely, sql } from 'kysely';

/** The key of each line's hash; null for lines from before keys existed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit add column key_id text`.execute(db);
}
