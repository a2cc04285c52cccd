import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../src/store/tables.ts';

/** The workspace with the generated history. */
export const team = 'T0GROWTH';
/** The end of the history. */
export const now = new Date('2026-06-01T12:00:00.000Z');
/** Waiting and active rows, however long the history is. */
export const open = { waiting: 2_000, unposted: 2, planning: 3, running: 5, unsent: 20 };

export const channelOf = (i: number): string => `C${i % 40}`;
export const personOf = (i: number): string => `U${i % 150}`;
/** A Slack timestamp; the card with it belongs to request `i`. */
export const tsOf = (i: number): string => `17${String(i).padStart(8, '0')}.000100`;

const ts = sql.raw(`'17' || lpad(i::text, 8, '0') || '.000100'`);
/** Ninety days, the usual retention. */
const span = sql.raw(`interval '90 days'`);

/**
 * Fills every table with a history of `runs` plans that were requested, approved and run over 90 days, and with a few
 * active ones. Must be run by the owner of the tables: foreign key checks are off, for speed.
 */
export async function fill(db: Db, runs: number): Promise<void> {
  const at = sql`${now}::timestamptz - ${span} * (1 - i::float8 / ${runs}) `;
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection);
    await sql`set synchronous_commit = off`.execute(connection);
    for (const statement of [
      ...plans(runs, at),
      ...askedAbout(runs, at),
      ...results(runs, at),
      ...said(runs, at),
    ]) {
      await statement.execute(connection);
    }
    await sql`set session_replication_role = default`.execute(connection);
    await sql`set synchronous_commit = on`.execute(connection);
    for (const statement of underWay(runs)) await statement.execute(connection);
    await sql`vacuum analyze`.execute(connection);
  });
}

type Statement = RawBuilder<unknown>;

function plans(runs: number, at: Statement): Statement[] {
  const series = sql`from generate_series(1, ${runs}::int) i`;
  const digest = sql.raw(`md5(i::text) || md5('d' || i)`);
  return [
    sql`insert into requests (team_id, id, goal, via, requester, channel, thread_ts, state, question, created_at)
      select ${team}, 'r' || i, 'Check open P1 tickets in OPS against the SLA and page on-call if breached', 'command',
        'U' || i % 150, 'C' || i % 40, case when i % 10 = 0 then 't' || i end, 'finished',
        case when i % 20 = 0 then jsonb_build_object('ts', 'q' || i, 'open', null, 'answers', '[]'::jsonb) end, ${at}
      ${series}`,
    sql`insert into revisions (team_id, request_id, number, digest, bytes, authors, state, origin, created_at,
        expires_at, card_channel, card_ts, decided_by, decided_at, plan_key)
      select ${team}, 'r' || i, 1, ${digest}, repeat(md5(i::text), 20), array['U1'], 'approved', '{}', ${at},
        ${at} + interval '30 minutes', 'C' || i % 40, ${ts}, 'U2', ${at}, 'plan' || i % 50 ${series}`,
    sql`insert into runs (team_id, id, request_id, number, mode, state, outcome, started_at, finished_at)
      select ${team}, 'run-r' || i || '-1', 'r' || i, 1, 'run', 'finished', 'done', ${at}, ${at} ${series}`,
    sql`insert into grants (team_id, run_id, request_id, number, digest, approver, created_at, consumed_at)
      select ${team}, 'run-r' || i || '-1', 'r' || i, 1, ${digest}, 'U2', ${at}, ${at} ${series}`,
  ];
}

/** The targets plans named, and the cards people saw. */
function askedAbout(runs: number, at: Statement): Statement[] {
  const series = sql`from generate_series(1, ${runs}::int) i`;
  return [
    sql`insert into plan_targets (team_id, target, at, request_id)
      select ${team}, target, ${at}, 'r' || i ${series},
        lateral (values ('service:s' || i % 20), ('project:OPS'), ('issue:OPS-' || i % 999)) named (target)`,
    sql`insert into approvals (team_id, request_id, number, digest, approver, at)
      select ${team}, 'r' || i, 1, md5(i::text) || md5('d' || i), 'U2', ${at} ${series}`,
    sql`insert into shown_cards (team_id, request_id, number, hash, message, at)
      select ${team}, 'r' || i, 1, md5(i::text), '{"text":"a card","blocks":[]}', ${at} ${series}`,
  ];
}

function results(runs: number, at: Statement): Statement[] {
  const series = sql`from generate_series(1, ${runs}::int) i`;
  return [
    sql`insert into step_results (team_id, run_id, step_id, tool, status, result, attempts, started_at, finished_at)
      select ${team}, 'run-r' || i || '-1', step, tool, 'succeeded',
        case step when 'page' then jsonb_build_object('incident', 'P' || i) else '{"total":24}' end, 1, ${at},
        ${at} + interval '1 second' * (i % 7)
      ${series}, (values ('count', 'jira.count'), ('page', 'pagerduty.page')) as steps (step, tool)`,
    sql`insert into incidents (team_id, id, life, opened_at)
      select ${team}, 'P' || i, '{"state":"resolved"}', ${at} ${series}`,
    sql`insert into writes (team_id, run_id, step_id, tool, key, targets, state, evidence, created_at, updated_at)
      select ${team}, 'run-r' || i || '-1', 'page', 'pagerduty.page', 'cs-run-r' || i || '-1-page',
        jsonb_build_array('service:s' || i % 20), 'made', '{}', ${at}, ${at} ${series}`,
    sql`insert into audit (team_id, seq, at, kind, actor, subject, data, prev_hash, hash)
      select ${team}, i, ${at}, 'revision.approved', 'U2', 'revision:r' || i || '/1', '{}',
        md5(i::text) || md5(i::text), md5((i + 1)::text) || md5((i + 1)::text)
      from generate_series(1, ${runs * 3}::int) i`,
  ];
}

function said(runs: number, at: Statement): Statement[] {
  const series = sql`from generate_series(1, ${runs}::int) i`;
  return [
    sql`insert into outbox (team_id, conversation, key, kind, payload, state, next_attempt_at, sent_ts, created_at)
      select ${team}, 'r' || i, kind || ':r' || i, kind, '{"place":{"kind":"card"}}', 'sent', ${at}, ${ts}, ${at}
      ${series}, (values ('card'), ('final')) as kinds (kind)`,
    sql`insert into model_calls (team_id, request_id, model, purpose, prompt_tokens, cached_tokens, completion_tokens,
        usd, ms, at)
      select ${team}, 'r' || i, 'small', 'plan', 900, 0, 90, 0.001, 700, ${at} ${series} where i % 2 = 0`,
    sql`insert into schedule_ticks (team_id, schedule, tick, state, at)
      select ${team}, 's' || i % 5, ${at}, 'fired', ${at} ${series} where i % 10 = 0`,
    sql`insert into inbox (team_id, key, executor, attempts, at, done_at)
      select ${team}, 'old' || i, 'gone', 1, ${now}::timestamptz - interval '25 hours',
        ${now}::timestamptz - interval '25 hours' ${series} where i % 10 = 0`,
    sql`insert into refusals (team_id, key, at)
      select ${team}, 'old' || i, ${now}::timestamptz - interval '25 hours' ${series} where i % 90 = 0`,
  ];
}

/** The active rows that people and timers look for among the finished ones. */
function underWay(runs: number): Statement[] {
  const { waiting, unposted, planning, running, unsent } = open;
  const from = (name: string, count: number, state: string) => sql`
    insert into requests (team_id, id, goal, via, requester, channel, state, created_at)
    select ${team}, ${name} || i, 'now', 'command', 'U1', 'C' || i % 40, ${state}, ${now}
    from generate_series(1, ${count}::int) i`;
  const card = (name: string, count: number, posted: boolean) => sql`
    insert into revisions (team_id, request_id, number, digest, bytes, authors, state, origin, created_at, expires_at,
      card_channel, card_ts, nudge_at)
    select ${team}, ${name} || i, 1, 'd', '{}', array['U1'], 'proposed', '{}', ${now},
      ${now}::timestamptz + interval '1 second' * i, 'C' || i % 40, case when ${posted} then 'w' || i end,
      ${now}::timestamptz + interval '1 second' * i
    from generate_series(1, ${count}::int) i`;
  return [
    from('waiting', waiting, 'review'),
    card('waiting', waiting, true),
    from('unposted', unposted, 'review'),
    card('unposted', unposted, false),
    sql`insert into plan_targets (team_id, target, at, request_id)
      select ${team}, 'service:s' || i % 20, ${now}, 'waiting' || i from generate_series(1, ${waiting}::int) i`,
    from('planning', planning, 'planning'),
    sql`update runs set state = 'running', finished_at = null, outcome = null
      where team_id = ${team} and id in (select 'run-r' || i || '-1'
        from generate_series(${runs - running + 1}::int, ${runs}::int) i)`,
    sql`update requests set state = 'running' where team_id = ${team} and id in (select 'r' || i
        from generate_series(${runs - running + 1}::int, ${runs}::int) i)`,
    sql`insert into outbox (team_id, conversation, key, kind, payload, next_attempt_at, created_at)
      select ${team}, 'waiting' || i, 'card:waiting' || i, 'card', '{}', ${now}, ${now}
      from generate_series(1, ${unsent}::int) i`,
  ];
}
