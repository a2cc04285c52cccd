import { type Kysely, sql } from 'kysely';

/** Looking up after a run whether its writes helped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table checks (
      team_id text not null,
      run_id text not null,
      step_id text not null,
      until timestamptz not null,
      look_at timestamptz,
      outcome text check (outcome in ('helped', 'did_not_help', 'not_checked')),
      words text,
      ended_at timestamptz,
      primary key (team_id, run_id, step_id))`,
    'create index checks_due on checks (look_at) where look_at is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
