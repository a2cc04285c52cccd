import { sql } from 'kysely';
import type { Db } from './tables.ts';

const page = 200;

/**
 * One line of JSON per request since a moment, oldest first, with its revisions and their decisions, runs and their
 * steps, tokens and cost. Sealed bytes and queued messages are left out.
 */
export async function exportRequests(
  db: Db,
  { teamId, since }: { readonly teamId: string; readonly since: Date },
  write: (line: string) => void,
): Promise<number> {
  let [at, id, count] = [since.toISOString(), '', 0];
  for (;;) {
    const { rows } = await sql<{ line: string; at: string; id: string }>`
      select ${line}::text as line, q.created_at::text as at, q.id from requests q
      where q.team_id = ${teamId} and (q.created_at, q.id) > (${at}::timestamptz, ${id})
      order by q.created_at, q.id limit ${sql.lit(page)}`.execute(db);
    for (const row of rows) write(row.line);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return count;
    [at, id] = [last.at, last.id];
  }
}

const steps = sql`(select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.step_id, 'tool', s.tool, 'status', s.status, 'result', s.result, 'reason', s.reason,
    'started_at', s.started_at, 'finished_at', s.finished_at) order by s.started_at, s.step_id), '[]')
  from step_results s where s.team_id = r.team_id and s.run_id = r.id)`;

const checks = sql`(select coalesce(jsonb_agg(jsonb_build_object(
    'step', c.step_id, 'outcome', c.outcome, 'words', c.words, 'ended_at', c.ended_at) order by c.step_id), '[]')
  from checks c where c.team_id = r.team_id and c.run_id = r.id)`;

const runs = sql`(select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'revision', r.number, 'mode', r.mode, 'state', r.state, 'outcome', r.outcome,
    'started_at', r.started_at, 'finished_at', r.finished_at, 'steps', ${steps}, 'checks', ${checks}) order by r.started_at), '[]')
  from runs r where r.team_id = q.team_id and r.request_id = q.id)`;

// Tampered rows may not be JSON, and must not end the export.
const plan = sql`case when v.digest = encode(sha256(convert_to(v.bytes, 'UTF8')), 'hex')
  then v.bytes::jsonb->'plan' end`;

const revisions = sql`(select coalesce(jsonb_agg(jsonb_build_object(
    'number', v.number, 'digest', v.digest, 'planner', v.origin->'planner', 'plan', ${plan},
    'authors', v.authors, 'state', v.state, 'created_at', v.created_at, 'decided_by', v.decided_by,
    'decided_at', v.decided_at, 'reason', v.reason) order by v.number), '[]')
  from revisions v where v.team_id = q.team_id and v.request_id = q.id)`;

const spent = sql`(select jsonb_build_object('usd', coalesce(sum(m.usd), 0), 'calls', count(*),
    'tokens', coalesce(sum(m.prompt_tokens + m.completion_tokens), 0))
  from model_calls m where m.team_id = q.team_id and m.request_id = q.id)`;

const line = sql`jsonb_build_object('team', q.team_id, 'request', q.id, 'at', q.created_at, 'via', q.via,
  'requester', q.requester, 'channel', q.channel, 'goal', q.goal, 'state', q.state,
  'revisions', ${revisions}, 'runs', ${runs}, 'model', ${spent})`;
