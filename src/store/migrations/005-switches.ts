import { type Kysely, sql } from 'kysely';

/** Switches (the kill switch is one) and the cost of each model call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table switches (
      team_id text not null,
      name text not null,
      is_on boolean not null,
      actor text not null,
      reason text not null,
      at timestamptz not null,
      primary key (team_id, name)
    )`.execute(db);
  await sql`
    create table model_calls (
      id bigint generated always as identity primary key,
      team_id text not null,
      request_id text,
      model text not null,
      purpose text not null,
      prompt_tokens integer not null,
      cached_tokens integer not null,
      completion_tokens integer not null,
      usd double precision not null,
      ms integer not null,
      at timestamptz not null
    )`.execute(db);
  await sql`create index model_calls_by_request on model_calls (team_id, request_id)`.execute(db);
  await sql`create index model_calls_by_age on model_calls (team_id, at)`.execute(db);
}
