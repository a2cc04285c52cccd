import { type Kysely, sql } from 'kysely';

/** How people rated answers and finished runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ratings (
      team_id text not null,
      request_id text not null,
      number integer not null,
      user_id text not null,
      rating text not null check (rating in ('helpful', 'unhelpful')),
      why text,
      at timestamptz not null,
      primary key (team_id, request_id, number, user_id)
    )`.execute(db);
}
