import { type Kysely, sql } from 'kysely';

/**
 * Recent refusals, so that the audit log has each once. And indexes that keep every query as fast at a million past
 * runs as at a hundred. Those on active work hold only a few rows, however long the history; two unused ones that would
 * slow down every write are dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table refusals (team_id text not null, key text not null, at timestamptz not null,
      primary key (team_id, key))`,
    'create index refusals_by_age on refusals (at)',
    // A reply finds its request by the card or the question that started its thread.
    'create index revisions_by_card on revisions (team_id, card_channel, card_ts) where card_ts is not null',
    `create index requests_by_question on requests (team_id, channel, (question->>'ts')) where question is not null`,
    'create index requests_by_person on requests (team_id, requester, created_at desc)',
    `create index requests_planning on requests (team_id, created_at) where state = 'planning'`,
    `create index requests_open on requests (team_id, created_at, id) where state in ('review', 'running')`,
    `create index revisions_unposted on revisions (team_id, created_at)
      where state = 'proposed' and card_ts is null`,
    `create index runs_recent on runs (team_id, started_at desc, id) where mode = 'run'`,
    'create index outbox_by_key on outbox (team_id, key, id desc)',
    `create index outbox_waiting on outbox (id) where state = 'pending'`,
    'create index schedule_ticks_by_age on schedule_ticks (team_id, at)',
    `create index audit_removals on audit (team_id) where kind = 'retention.removed'`,
    // The hour a cap looks back is short; an index on every target of all time is not.
    'drop index writes_by_target',
    'drop index audit_by_subject',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
