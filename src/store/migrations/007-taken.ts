import { type Kysely, sql } from 'kysely';

/** Slack deliveries that were processed, so that a repeated one is not, whichever process it reaches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table taken (
      team_id text not null,
      key text not null,
      at timestamptz not null,
      primary key (team_id, key)
    )`.execute(db);
  await sql`create index taken_by_age on taken (at)`.execute(db);
}
