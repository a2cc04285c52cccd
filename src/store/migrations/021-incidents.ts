import { type Kysely, sql } from 'kysely';

/** Incidents opened by runs are followed, and buttons in a thread can request steps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table incidents (
      team_id text not null,
      id text not null,
      life jsonb,
      told text[] not null default '{}',
      opened_at timestamptz not null,
      look_at timestamptz,
      failures integer not null default 0,
      primary key (team_id, id))`,
    'create index incidents_due on incidents (look_at) where look_at is not null',
    `create index step_results_incident on step_results (team_id, (result->>'incident'))
      where result->>'incident' is not null`,
    `create index step_results_opened on step_results (team_id, finished_at)
      where result->>'incident' is not null`,
    'alter table requests drop constraint requests_via_check',
    `alter table requests add constraint requests_via_check
      check (via in ('command', 'mention', 'shortcut', 'schedule', 'agent', 'button'))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
