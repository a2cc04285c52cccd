import { type Kysely, sql } from 'kysely';

/** Requests and the revisions of their plans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table requests (
      team_id text not null,
      id text not null,
      goal text not null,
      via text not null check (via in ('command', 'mention', 'shortcut', 'schedule', 'agent')),
      requester text not null,
      channel text not null,
      thread_ts text,
      quoted text,
      state text not null,
      question jsonb,
      created_at timestamptz not null,
      primary key (team_id, id)
    )`.execute(db);
  await sql`create index requests_by_thread on requests (team_id, channel, thread_ts)`.execute(db);
  await sql`create index requests_by_age on requests (team_id, created_at desc)`.execute(db);
  await sql`
    create table revisions (
      team_id text not null,
      request_id text not null,
      number integer not null check (number > 0),
      digest text not null,
      bytes text not null,
      authors text[] not null,
      state text not null
        check (state in ('proposed', 'approved', 'rejected', 'expired', 'superseded', 'cancelled')),
      origin jsonb not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      card_channel text,
      card_ts text,
      decided_by text,
      decided_at timestamptz,
      reason text,
      primary key (team_id, request_id, number),
      foreign key (team_id, request_id) references requests (team_id, id)
    )`.execute(db);
  // Enforces the rule regardless of code: at most one card of a request has live buttons.
  await sql`
    create unique index revisions_one_open on revisions (team_id, request_id) where state = 'proposed'`.execute(
    db,
  );
  await sql`create index revisions_due on revisions (expires_at) where state = 'proposed'`.execute(db);
}
