import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** A plan of another request that names a service which this one names, too: it waits for a yes, or runs. */
export interface Beside {
  readonly requestId: string;
  readonly number: number;
  /** `service:ops` */
  readonly target: string;
  readonly isRunning: boolean;
}

/**
 * What else is about the services of a plan now, what runs first. Looked for among the few that wait or run: `offset 0`
 * keeps Postgres from starting with all plans ever made.
 */
export async function besides(
  db: Db,
  {
    teamId,
    requestId,
    now,
    maxWaiting,
  }: {
    readonly teamId: string;
    readonly requestId: string;
    readonly now: Date;
    /** Cards that are looked through, the newest first. */
    readonly maxWaiting: number;
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
        order by expires_at desc limit ${sql.lit(maxWaiting)}))
    select o.request_id, o.number, o.is_running, t.target
    from others o cross join lateral (select min(target) as target from (
      select target from plan_targets where team_id = ${teamId} and request_id = o.request_id offset 0) p
      where target in (select target from own)) t
    where t.target is not null
    order by o.is_running desc, o.request_id limit 10`.execute(db);
  return rows;
}
