import { sql } from 'kysely';
import type { RunOutcome } from '../core/run.ts';
import type { Db } from './tables.ts';

/** Requests of workspaces since a moment. */
export interface Period {
  readonly teamIds: readonly string[];
  readonly since: Date;
}

/** A request's course in seconds since it was made; null for what has not happened. */
export interface Course {
  readonly id: string;
  /** First read that succeeded. */
  readonly evidence: number | null;
  /** First approval or rejection by a person. */
  readonly decision: number | null;
  /** End of its last answer or approved run. */
  readonly result: number | null;
  /** Outcome of that. */
  readonly outcome: RunOutcome | null;
  /** US dollars for models. */
  readonly usd: number;
}

/** Every request of a period, whether it led to a plan or not. */
export async function courses(db: Db, { teamIds, since }: Period): Promise<Course[]> {
  const { rows } = await sql<Course>`
    select q.id, ${secondsTo(sql`e.at`)} as evidence, ${secondsTo(sql`d.at`)} as decision,
      ${secondsTo(sql`r.finished_at`)} as result, r.outcome, m.usd
    from requests q
    cross join lateral (select min(s.finished_at) as at from runs u
      join step_results s on s.team_id = u.team_id and s.run_id = u.id and s.status = 'succeeded'
      where u.team_id = q.team_id and u.request_id = q.id) e
    cross join lateral (select min(v.decided_at) as at from revisions v
      where v.team_id = q.team_id and v.request_id = q.id and v.state in ('approved', 'rejected')
        and not exists (select from grants g where g.team_id = v.team_id and g.request_id = v.request_id
          and g.number = v.number and g.standing is not null)) d
    left join lateral (select u.finished_at, u.outcome from runs u
      join revisions v on v.team_id = u.team_id and v.request_id = u.request_id and v.number = u.number
      where u.team_id = q.team_id and u.request_id = q.id and u.state = 'finished'
        and u.mode = case v.state when 'answered' then 'read' else 'run' end
      order by u.finished_at desc limit 1) r on true
    cross join lateral (select coalesce(sum(usd), 0) as usd from model_calls
      where team_id = q.team_id and request_id = q.id) m
    where q.team_id = any(${[...teamIds]}::text[]) and q.created_at >= ${since} and q.joined is null`.execute(
    db,
  );
  return rows;
}

function secondsTo(at: ReturnType<typeof sql>) {
  return sql`extract(epoch from ${at} - q.created_at)::double precision`;
}

/** Steps of one tool: those that ran, and those of them that failed or are unknown. */
export interface ToolSteps {
  readonly tool: string;
  readonly ran: number;
  readonly failed: number;
  /** Most frequent reason; null if none failed. */
  readonly code: string | null;
}

/** Steps in runs of a period's requests, by tool. */
export async function toolSteps(db: Db, { teamIds, since }: Period): Promise<ToolSteps[]> {
  const { rows } = await sql<ToolSteps>`
    select s.tool, count(*) as ran, count(*) filter (where ${isFailed}) as failed,
      mode() within group (order by s.reason->>'code') filter (where ${isFailed}) as code
    from requests q
    join runs u on u.team_id = q.team_id and u.request_id = q.id
    join step_results s on s.team_id = u.team_id and s.run_id = u.id and s.status not in ('running', 'skipped')
    where q.team_id = any(${[...teamIds]}::text[]) and q.created_at >= ${since}
    group by s.tool order by failed desc, s.tool`.execute(db);
  return rows;
}

const isFailed = sql`s.status in ('failed', 'unknown')`;

/** Totals of a period. */
export interface Totals {
  /** Approved runs that ended. */
  readonly runs: number;
  /** Writes that they made. */
  readonly writes: number;
  /** Everything spent on models, for requests and otherwise. */
  readonly usd: number;
  readonly tokens: number;
}

export async function totals(db: Db, { teamIds, since }: Period): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select r.runs, r.writes, m.usd, m.tokens
    from (select count(*) as runs, coalesce(sum((select count(*) from writes w
          where w.team_id = u.team_id and w.run_id = u.id and w.state = 'made')), 0)::int as writes
        from requests q join runs u on u.team_id = q.team_id and u.request_id = q.id
        where q.team_id = any(${[...teamIds]}::text[]) and q.created_at >= ${since} and u.mode = 'run' and u.state = 'finished') r,
      (select coalesce(sum(usd), 0) as usd, coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 as tokens
        from model_calls where team_id = any(${[...teamIds]}::text[]) and at >= ${since}) m`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError('totals are always one row');
  return row;
}
