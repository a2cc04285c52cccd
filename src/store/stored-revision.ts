import { sql } from 'kysely';
import type { Facts } from '../core/read-results.ts';
import { type Revision, type RevisionState, unseal } from '../core/revision.ts';
import { killSwitchName } from '../core/run.ts';
import { resultsOf, type StoredStep, stepColumns } from './load-run.ts';
import type { Db, RevisionRow } from './tables.ts';

export interface StoredRevision {
  readonly revision: Revision;
  readonly state: RevisionState;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** Results of its reads before approval; null while they run, and if there are none. */
  readonly facts: Facts | null;
  /** The people who made the same request while it was active, without repeats: they count as requesters. */
  readonly joiners: readonly string[];
  /** Who stopped all writes, and why; null while they are allowed. */
  readonly stopped: { readonly by: string; readonly reason: string } | null;
}

type Found = RevisionRow & {
  readonly facts: StoredStep[] | null;
  readonly joiners: string[] | null;
  readonly stoppedBy: string | null;
  readonly stoppedWhy: string | null;
};

/**
 * A revision with everything a decision about it depends on, in one statement. Throws a DigestError when the stored
 * bytes do not match the stored digest.
 */
export async function storedRevision(
  db: Db,
  { teamId, requestId, number }: { teamId: string; requestId: string; number: number },
): Promise<StoredRevision | null> {
  const { rows } = await sql<Found>`
    select v.*,
      (select coalesce((select json_agg(${stepColumns}) from step_results s
          where s.team_id = u.team_id and s.run_id = u.id), '[]'::json)
        from runs u where u.team_id = v.team_id and u.request_id = v.request_id and u.number = v.number
          and u.mode = 'read' and u.state = 'finished') as facts,
      (select array_agg(distinct who) from requests q cross join unnest(array[q.requester, q.agent->>'owner']) who
        where q.team_id = v.team_id and q.joined = v.request_id and who is not null) as joiners,
      s.actor as stopped_by, s.reason as stopped_why
    from revisions v
    left join switches s on s.team_id = v.team_id and s.name = ${killSwitchName} and s.is_on
    where v.team_id = ${teamId} and v.request_id = ${requestId} and v.number = ${number}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { bytes, digest, state, decidedBy, decidedAt, reason, facts, joiners, stoppedBy, stoppedWhy } = found;
  return {
    ...{ revision: unseal(bytes, digest), state, decidedBy, decidedAt, reason },
    facts: facts && resultsOf(facts),
    joiners: joiners ?? [],
    stopped: stoppedBy === null ? null : { by: stoppedBy, reason: stoppedWhy ?? '' },
  };
}
