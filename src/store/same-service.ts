import { sql } from 'kysely';
import type { Db, RevisionRow } from './tables.ts';

/** A plan of another request that involves a service of this plan, and is waiting for approval or running. */
export interface Beside extends Pick<RevisionRow, 'requestId' | 'number' | 'bytes' | 'digest'> {
  /** `service:ops` */
  readonly target: string;
  readonly isRunning: boolean;
}

/**
 * Other plans that involve the services of a plan, running ones first. Only the few that wait or run are searched:
 * `offset 0` keeps Postgres from starting with all plans ever made.
 */
export async function besides(
  db: Db,
  {
    teamId,
    requestId,
    now,
    maxWaiting,
    max,
  }: {
    readonly teamId: string;
    readonly requestId: string;
    readonly now: Date;
    /** Maximum number of waiting cards to search, newest first. */
    readonly maxWaiting: number;
    readonly max: number;
  },
): Promise<readonly Beside[]> {
  const { rows } = await sql<Beside>`
    with own as materialized (
      select target from plan_targets where team_id = ${teamId} and request_id = ${requestId}
        and target like 'service:%' offset 0),
    others as materialized (
      (select request_id, number, true as is_running from runs
        where team_id = ${teamId} and state = 'running' and mode = 'run' and request_id <> ${requestId} offset 0)
      union all
      (select request_id, number, false from revisions
        where team_id = ${teamId} and state = 'proposed' and expires_at > ${now} and plan_key is not null
          and card_ts is not null and request_id <> ${requestId}
        order by expires_at desc limit ${sql.lit(maxWaiting)})),
    found as materialized (
      select o.request_id, o.number, o.is_running, t.target
      from others o cross join lateral (select min(target) as target from (
        select target from plan_targets where team_id = ${teamId} and request_id = o.request_id offset 0) p
        where target in (select target from own)) t
      where t.target is not null
      order by o.is_running desc, o.request_id limit ${sql.lit(max)})
    select found.*, v.bytes, v.digest
    from found join revisions v on (v.team_id, v.request_id, v.number) = (${teamId}, found.request_id, found.number)
    order by found.is_running desc, found.request_id`.execute(db);
  return rows;
}
