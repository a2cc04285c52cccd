import { sql } from 'kysely';
import type { RevisionState } from '../core/revision.ts';
import type { RunOutcome } from '../core/run.ts';
import type { Db, RunState } from './tables.ts';

/** Selects plans: everybody's, those a person requested (or approved), or those that name something. */
export type HistoryFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'asked' | 'person'; readonly userId: string }
  /** As spelled by `core/targets.ts`: `service:ops`, `issue:OPS-7`. */
  | { readonly kind: 'target'; readonly target: string };

/** A request with one of its revisions and the last run of that revision. */
export interface Episode {
  readonly requestId: string;
  readonly requester: string;
  readonly channel: string;
  readonly askedAt: Date;
  readonly number: number;
  readonly digest: string;
  readonly bytes: string;
  readonly authors: readonly string[];
  readonly state: RevisionState;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly cardChannel: string | null;
  readonly cardTs: string | null;
  /** State of the run; null if nothing ran. */
  readonly runState: RunState | null;
  readonly outcome: RunOutcome | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A place in a list, newest first. */
export interface Found {
  readonly id: string;
  readonly at: Date;
}

/** Matching requests older than `before`, newest first. */
export async function find(
  db: Db,
  { teamId, filter, before, limit }: { teamId: string; filter: HistoryFilter; before: Date; limit: number },
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, at from (${source(teamId, filter, before, limit)}) found order by at desc, id limit ${sql.lit(limit)}`.execute(
    db,
  );
  return rows;
}

/** Each part reads one index from its end; a plan both requested and approved by a person is returned once, as requested. */
function source(teamId: string, filter: HistoryFilter, before: Date, limit: number) {
  if (filter.kind === 'target') {
    return sql`select request_id as id, at from plan_targets
      where team_id = ${teamId} and target = ${filter.target} and at < ${before} order by at desc limit ${sql.lit(limit)}`;
  }
  if (filter.kind === 'all') {
    return sql`select id, created_at as at from requests
      where team_id = ${teamId} and created_at < ${before} order by created_at desc limit ${sql.lit(limit)}`;
  }
  const { userId } = filter;
  const asked = sql`select id, created_at as at from requests
      where team_id = ${teamId} and requester = ${userId} and created_at < ${before}
      order by created_at desc limit ${sql.lit(limit)}`;
  if (filter.kind === 'asked') return asked;
  return sql`
    (${asked})
    union all
    (select g.request_id as id, g.created_at as at from grants g
      where g.team_id = ${teamId} and g.approver = ${userId} and g.created_at < ${before}
        and not exists (select 1 from requests q
          where q.team_id = g.team_id and q.id = g.request_id and q.requester = ${userId})
      order by g.created_at desc limit ${sql.lit(limit)})`;
}

/** Only the newest revision, or also earlier approved ones: results of a run are kept. */
export type Which = 'newest' | 'with_runs';

/** In the order of `ids`, each with its newest revision first; requests that never got a plan are omitted. */
export async function episodes(
  db: Db,
  teamId: string,
  ids: readonly string[],
  which: Which,
): Promise<Episode[]> {
  const also = which === 'newest' ? sql`` : sql`or state = 'approved'`;
  if (ids.length === 0) return [];
  const { rows } = await sql<Episode>`
    select q.id as request_id, q.requester, q.channel, q.created_at as asked_at, r.number, r.digest, r.bytes,
      r.authors, r.state, r.expires_at, r.decided_by, r.decided_at, r.card_channel, r.card_ts,
      u.state as run_state, u.outcome, u.started_at, u.finished_at
    from unnest(${[...ids]}::text[]) with ordinality asked (id, place)
    join requests q on q.team_id = ${teamId} and q.id = asked.id
    cross join lateral (select max(number) as newest from revisions
      where team_id = q.team_id and request_id = q.id) n
    cross join lateral (select * from revisions
      where team_id = q.team_id and request_id = q.id and (number = n.newest ${also})) r
    left join lateral (select * from runs
      where team_id = q.team_id and request_id = q.id and number = r.number and mode = case r.state when 'answered' then 'read' else 'run' end
      order by started_at desc limit 1) u on true
    order by asked.place, r.number desc`.execute(db);
  return rows;
}

/** Requests about a target whose approved plan was done, newest first. */
export async function doneAbout(
  db: Db,
  { teamId, target, limit }: { teamId: string; target: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    select t.request_id from plan_targets t
    where t.team_id = ${teamId} and t.target = ${target} and exists (select from runs r
      where r.team_id = t.team_id and r.request_id = t.request_id and r.mode = 'run' and r.outcome = 'done')
    order by t.at desc limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ requestId }) => requestId);
}

/** Requests about a target with a plan under way: running ones, then those that wait for a decision. */
export async function openAbout(
  db: Db,
  { teamId, target, limit }: { teamId: string; target: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    select o.request_id from (
      select request_id, 0 as place, started_at as at from runs
      where team_id = ${teamId} and state = 'running' and mode = 'run'
      union all
      select request_id, 1, expires_at from revisions where team_id = ${teamId} and state = 'proposed') o
    where exists (select from plan_targets t
      where t.team_id = ${teamId} and t.request_id = o.request_id and t.target = ${target})
    group by o.request_id order by min(o.place), min(o.at) limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ requestId }) => requestId);
}

/** Requests with a running plan, oldest first. */
export async function running(
  db: Db,
  { teamId, limit }: { teamId: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('requestId')
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('running'))
    .where('mode', '=', sql.lit('run'))
    .orderBy('startedAt')
    .limit(sql.lit(limit))
    .execute();
  return rows.map(({ requestId }) => requestId);
}

/** A finished run of a plan that was approved or only read. */
export interface Ended {
  readonly requestId: string;
  readonly number: number;
  readonly requester: string;
  readonly channel: string;
  readonly mode: 'run' | 'read';
  readonly outcome: RunOutcome;
}

/**
 * Runs that ended since a moment, newest first: approved ones, and reads that failed to answer. `limit` applies to each
 * mode and outcome, so that nothing crowds out a write in doubt.
 */
export async function ended(
  db: Db,
  { teamId, since, limit }: { teamId: string; since: Date; limit: number },
): Promise<Ended[]> {
  const newest = sql`r.finished_at >= ${since} order by r.finished_at desc limit ${sql.lit(limit)}`;
  const { rows } = await sql<Ended>`
    select e.request_id, e.number, e.mode, e.outcome, q.requester, q.channel
    from (
      select e.* from unnest(array['done', 'partly', 'failed', 'unknown', 'cancelled']) o
      cross join lateral (select r.* from runs r
        where r.team_id = ${teamId} and r.mode = 'run' and r.outcome = o and ${newest}) e
      union all
      select e.* from unnest(array['partly', 'failed', 'unknown', 'cancelled']) o
      cross join lateral (select r.* from runs r
        join revisions v on v.team_id = r.team_id and v.request_id = r.request_id and v.number = r.number
          and v.state = 'answered'
        where r.team_id = ${teamId} and r.mode = 'read' and r.outcome <> 'done' and r.outcome = o and ${newest}) e) e
    cross join lateral (select requester, channel from requests
      where team_id = ${teamId} and id = e.request_id limit 1) q
    order by e.finished_at desc, e.id`.execute(db);
  return rows;
}

/** Requests with a plan whose digest starts with these eight digits, newest first. */
export async function byShortDigest(db: Db, teamId: string, short: string): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    select request_id from revisions where team_id = ${teamId} and left(digest, 8) = ${short}
    order by created_at desc limit 5`.execute(db);
  return [...new Set(rows.map(({ requestId }) => requestId))];
}
