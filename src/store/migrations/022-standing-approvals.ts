import { type Kysely, sql } from 'kysely';

/** One approval for all runs of the same plan of a watch or playbook, until a date and up to so many writes a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table standing_approvals (team_id text not null, id text not null, scope text not null,
      version text not null, plan_key text not null, policy text not null, catalogue text not null,
      summary text not null, channel text not null, owner text not null, yeses text[] not null,
      until timestamptz not null, per_day integer not null check (per_day > 0),
      created_at timestamptz not null, active_at timestamptz,
      ended_at timestamptz, ended_by text, end_reason text, primary key (team_id, id))`,
    `create unique index standing_approvals_one on standing_approvals (team_id, scope, plan_key)
      where ended_at is null`,
    `create table standing_uses (team_id text not null, standing text not null, run_id text not null,
      writes integer not null, at timestamptz not null, primary key (team_id, run_id))`,
    'create index standing_uses_by_time on standing_uses (team_id, standing, at)',
    'alter table grants add column standing text',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
