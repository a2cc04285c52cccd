import { sql } from 'kysely';
import type { StepResult } from '../core/run.ts';
import { resultsOf, type StoredStep, stepColumns } from './load-run.ts';
import type { Db, RevisionRow } from './tables.ts';

export interface ShownRevision {
  readonly row: RevisionRow;
  /** Results of its reads before approval; null while they run, and if there are none. */
  readonly facts: readonly StepResult[] | null;
  /** The people who requested the same while it was active, without repeats. */
  readonly joiners: readonly string[];
}

/** A revision with everything a decision about it depends on, in one statement. */
export async function shownRevision(
  db: Db,
  { teamId, requestId, number }: { teamId: string; requestId: string; number: number },
): Promise<ShownRevision | null> {
  const { rows } = await sql<RevisionRow & { facts: StoredStep[] | null; joiners: string[] | null }>`
    select v.*,
      (select coalesce((select json_agg(${stepColumns}) from step_results s
          where s.team_id = u.team_id and s.run_id = u.id), '[]'::json)
        from runs u where u.team_id = v.team_id and u.request_id = v.request_id and u.number = v.number
          and u.mode = 'read' and u.state = 'finished') as facts,
      (select array_agg(distinct requester) from requests
        where team_id = v.team_id and joined = v.request_id) as joiners
    from revisions v
    where v.team_id = ${teamId} and v.request_id = ${requestId} and v.number = ${number}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { facts, joiners, ...row } = found;
  return { row, facts: facts && resultsOf(facts), joiners: joiners ?? [] };
}
