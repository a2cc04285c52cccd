import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Plan } from '../core/plan.ts';
import { unseal } from '../core/revision.ts';
import type { FailedRun, RunOutcome } from '../core/run.ts';
import { isAtOnce } from '../core/suggested-plan.ts';
import { type Entry, nobody } from '../store/inbox.ts';
import type { Checkpoint } from '../store/load-run.ts';
import type { RunKey } from '../store/runs.ts';
import type { WorkDeps } from './context.ts';

/** A run did not end well: its rest is to be replanned. */
export interface FailedEvent {
  readonly type: 'failed';
  readonly key: string;
  readonly failed: FailedRun;
}

/** The targets of a button's request have been looked up: its approval is to be counted. */
export interface PressedEvent {
  readonly type: 'pressed';
  readonly key: string;
  readonly requestId: string;
  readonly number: number;
}

type Ended = Pick<FailedRun, 'results'> & { readonly outcome: RunOutcome };

/** The work that the end of a run leaves to other processes, stored together with it. */
export function arrivalsAfter(deps: WorkDeps, key: RunKey, stored: Checkpoint, ended: Ended): Entry[] {
  const { requestId, number } = stored;
  const entry = (event: FailedEvent | PressedEvent): Entry => {
    return { teamId: key.teamId, key: event.key, event: jsonOf(event), executor: nobody, at: deps.now() };
  };
  const failed = failedRun(deps, key, stored, ended);
  if (failed !== null) return [entry({ type: 'failed', key: `failed:${key.runId}`, failed })];
  if (!approvesItself(deps, stored)) return [];
  return [entry({ type: 'pressed', key: `pressed:${key.runId}`, requestId, number })];
}

/** Whether the button or the words that asked for the plan also approve it, now that its targets are known. */
function approvesItself({ catalogue }: WorkDeps, { mode, via, revision }: Checkpoint): boolean {
  if (mode !== 'read') return false;
  if (via === 'button') return true;
  const isTyped = via === 'command' || via === 'mention';
  return isTyped && revision !== null && isAtOnce(planOf(revision), catalogue.manifests);
}

/** The facts of a run whose rest is to be planned anew; null for any other. */
function failedRun(
  { log, now }: WorkDeps,
  key: RunKey,
  { mode, requestId, number, revision }: Checkpoint,
  { outcome, results }: Ended,
): FailedRun | null {
  if (mode !== 'run' || outcome === 'done' || outcome === 'cancelled' || revision === null) return null;
  const of = { ...key, requestId, number, mode };
  try {
    return { ...of, at: now().toISOString(), plan: planOf(revision), outcome, results };
  } catch (error) {
    log.warn({ ...of, reason: describeError(error).message }, 'no new plan after a failed run');
    return null;
  }
}

/** Throws where the stored revision is damaged. */
export function planOf({ bytes, digest }: NonNullable<Checkpoint['revision']>): Plan {
  return unseal(bytes, digest).sealed.plan;
}
