import { type Kysely, sql } from 'kysely';

/** Alerts from monitoring, grouped into problems with one message each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table alert_problems (
      team_id text not null,
      id text not null,
      rule text not null,
      service text not null,
      channel text not null,
      message_ts text,
      posted boolean not null default false,
      shown text,
      state text not null check (state in ('open', 'closed')),
      opened_at timestamptz not null,
      fired_at timestamptz not null,
      closed_at timestamptz,
      firings integer not null default 1,
      evidence jsonb,
      evidence_at timestamptz,
      proposed boolean not null default false,
      look_at timestamptz,
      primary key (team_id, id))`,
    'create index alert_problems_due on alert_problems (look_at) where look_at is not null',
    'create index alert_problems_of on alert_problems (team_id, rule, service, opened_at desc)',
    `create table alerts (
      team_id text not null,
      door text not null,
      fingerprint text not null,
      problem text,
      state text not null check (state in ('firing', 'resolved')),
      labels jsonb not null,
      title text not null,
      text text not null,
      link text not null,
      since timestamptz not null,
      until timestamptz,
      heard_at timestamptz not null,
      primary key (team_id, door, fingerprint))`,
    "create index alert_problems_open on alert_problems (team_id) where state = 'open'",
    'create index alert_problems_closed on alert_problems (team_id, closed_at)',
    'create index alerts_of on alerts (team_id, problem)',
    'create index alerts_by_age on alerts (team_id, heard_at)',
    'alter table requests drop constraint requests_via_check',
    `alter table requests add constraint requests_via_check
      check (via in ('command', 'mention', 'shortcut', 'schedule', 'agent', 'button', 'alert'))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
