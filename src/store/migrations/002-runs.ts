import { type Kysely, sql } from 'kysely';

/** Grants, runs, step results and the keys of writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs (
      team_id text not null,
      id text not null,
      request_id text not null,
      number integer not null,
      mode text not null check (mode in ('run', 'dry_run')),
      state text not null check (state in ('running', 'finished')),
      outcome text,
      cancel_by text,
      cancel_at timestamptz,
      cancel_reason text,
      started_at timestamptz not null,
      finished_at timestamptz,
      primary key (team_id, id),
      foreign key (team_id, request_id, number) references revisions (team_id, request_id, number)
    )`.execute(db);
  // One approval, one run: a second run of the same revision cannot be stored.
  await sql`
    create unique index runs_one_per_revision on runs (team_id, request_id, number) where mode = 'run'`.execute(
    db,
  );
  await sql`create index runs_open on runs (started_at) where state = 'running'`.execute(db);
  await sql`
    create table grants (
      team_id text not null,
      run_id text not null,
      request_id text not null,
      number integer not null,
      digest text not null,
      approver text not null,
      created_at timestamptz not null,
      consumed_at timestamptz,
      primary key (team_id, run_id),
      unique (team_id, request_id, number),
      foreign key (team_id, run_id) references runs (team_id, id)
    )`.execute(db);
  await createStepTables(db);
}

async function createStepTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table step_results (
      team_id text not null,
      run_id text not null,
      step_id text not null,
      tool text not null,
      status text not null check (status in ('running', 'succeeded', 'failed', 'skipped', 'unknown')),
      result jsonb,
      reason jsonb,
      attempts integer not null,
      started_at timestamptz not null,
      finished_at timestamptz,
      primary key (team_id, run_id, step_id),
      foreign key (team_id, run_id) references runs (team_id, id)
    )`.execute(db);
  await sql`
    create index step_results_durations on step_results (team_id, tool, finished_at desc)
    where status = 'succeeded'`.execute(db);
  await sql`
    create table writes (
      team_id text not null,
      run_id text not null,
      step_id text not null,
      tool text not null,
      key text not null unique,
      targets jsonb not null,
      state text not null check (state in ('intended', 'made', 'failed', 'unknown')),
      evidence jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (team_id, run_id, step_id),
      foreign key (team_id, run_id) references runs (team_id, id)
    )`.execute(db);
  await sql`create index writes_by_tool on writes (team_id, tool, created_at desc)`.execute(db);
  await sql`create index writes_by_target on writes using gin (targets jsonb_path_ops)`.execute(db);
}
