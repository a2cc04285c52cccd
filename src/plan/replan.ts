import type { JsonObject } from '../core/json.ts';
import type { PlanningInput } from '../core/planning.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import { type FailedRun, isCorrectable } from '../core/run.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { TeamDb } from '../store/tables.ts';
import { leavesAnything } from './remainder.ts';

/** Maximum runs of one request, without dry runs and including the first, before a person has to look. */
const maxRuns = 3;
/** Step failures that another attempt cannot fix. */
const hopeless = new Set(['kill_switch', 'cancelled', 'over_cap', 'digest_mismatch', 'no_grant', 'is_over']);

/** The rest of a failed run becomes a new card, a limited number of times; a person has to approve it again. */
export async function replan(
  failed: FailedRun,
  { db, teamId }: TeamDb,
): Promise<NextTurn<StoredRequest> | null> {
  if (failed.mode !== 'run' || failed.outcome === 'cancelled') return null;
  if (!leavesAnything(failed)) return null;
  if (failed.results.some(({ reason }) => hopeless.has(reason?.code ?? ''))) return null;
  const { requestId } = failed;
  const all = await runs.listOf(db, teamId, requestId);
  if (all.filter(({ mode }) => mode === 'run').length >= maxRuns) return null;
  const request = await requests.get(db, teamId, requestId);
  const row = await revisions.latest(db, teamId, requestId);
  const basedOn = row && revisions.revisionOf(row);
  // A newer card already exists: a repeated event, or somebody was faster.
  if (request === null || basedOn === null || basedOn.sealed.number !== failed.number) return null;
  const cause = `failed:${failed.runId}`;
  return { request, turn: { ...firstTurn('system', cause), basedOn, failed, replaces: false } };
}

/** A planner's view of a failed run: results are data, and marked as such in its prompt. */
export function replanInput({ plan, results }: FailedRun): NonNullable<PlanningInput['replan']> {
  const of = (status: string) =>
    results.filter((one) => one.status === status && !isCorrectable(one)).map((one) => one.stepId);
  const again = results.filter(isCorrectable).map(({ stepId }) => stepId);
  const data: JsonObject = {};
  for (const { stepId, result } of results) if (result) data[stepId] = result;
  // A write that may have been made counts as made: no planner repeats it.
  return {
    plan,
    done: [...of('succeeded'), ...of('unknown')],
    failed: [...of('failed'), ...again],
    results: data,
  };
}
