import { type Kysely, sql } from 'kysely';

/** Plans of a second planner that nobody was shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shadow_plans (
      team_id text not null,
      request_id text not null,
      shown text not null,
      planner text not null,
      shown_kind text not null,
      kind text not null check (kind in ('plan', 'clarify', 'refuse', 'failed')),
      plan jsonb,
      at timestamptz not null,
      primary key (team_id, request_id)
    )`.execute(db);
  await sql`create index shadow_plans_by_age on shadow_plans (team_id, at)`.execute(db);
}
