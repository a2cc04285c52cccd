import { sql } from 'kysely';
import type { JsonObject } from '../core/json.ts';
import type { Db } from './tables.ts';

/** A tool's result in an earlier run, with the sealed plan it was a step of. */
export interface PastResult {
  readonly stepId: string;
  readonly result: JsonObject;
  readonly at: Date;
  readonly bytes: string;
}

/** Results of a tool in plans that named a target, newest first. `target` is spelled as in `core/targets.ts`. */
export async function pastResults(
  db: Db,
  of: { teamId: string; tool: string; target: string; since: Date; limit: number },
): Promise<PastResult[]> {
  const { teamId, tool, target, since, limit } = of;
  const { rows } = await sql<PastResult>`
    select s.step_id, s.result, s.finished_at as at, v.bytes
    from (select request_id, max(at) as at from plan_targets
      where team_id = ${teamId} and target = ${target} and at >= ${since}
      group by request_id order by 2 desc limit ${sql.lit(limit)}) t
    join runs r on r.team_id = ${teamId} and r.request_id = t.request_id
    join step_results s on s.team_id = r.team_id and s.run_id = r.id and s.tool = ${tool}
      and s.status = 'succeeded' and s.result is not null
    join revisions v on v.team_id = r.team_id and v.request_id = r.request_id and v.number = r.number
    order by s.finished_at desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}
