import { describeError } from '../core/errors.ts';
import { type CriterionResult, outcomeOf, type RunOutcome, type StepResult } from '../core/run.ts';
import type { ActiveRun } from './active-run.ts';
import { durably } from './attempt.ts';
import type { Begun } from './begin.ts';
import { runCriteria } from './criteria.ts';
import type { RunKey, RunnerDeps } from './ports.ts';
import { tell } from './tell.ts';

/** Ends a run whose steps have all ended: outcome, row, events, and the call for a new plan when it went wrong. */
export async function end(run: ActiveRun): Promise<RunOutcome> {
  const { deps, key, mode, sealed } = run;
  const results = sealed.plan.steps.flatMap((step) => run.finished.get(step.id) ?? []);
  const criteria = await runCriteria(run);
  const outcome = outcomeWith(results, criteria);
  await durably(() => deps.store.finish({ ...key, outcome, at: deps.now() }), deps.sleep);
  const { requestId, number, plan } = sealed;
  const base = { ...key, requestId, number, mode, at: deps.now().toISOString() };
  await tell(deps, { ...base, type: 'finished', outcome, results, criteria });
  if (mode === 'run' && outcome !== 'done' && outcome !== 'cancelled') {
    await reportFailure(deps, { ...base, plan, outcome, results });
  }
  return outcome;
}

/** `done` also means that no criterion is known to be missed. */
function outcomeWith(results: readonly StepResult[], criteria: readonly CriterionResult[]): RunOutcome {
  const outcome = outcomeOf(
    results,
    results.some((result) => result.reason?.code === 'cancelled'),
  );
  return outcome === 'done' && criteria.some((criterion) => criterion.holds === false) ? 'partly' : outcome;
}

async function reportFailure(
  deps: RunnerDeps,
  failed: Parameters<RunnerDeps['onFailure']>[0],
): Promise<void> {
  try {
    await deps.onFailure(failed);
  } catch (error) {
    deps.log.warn(
      { runId: failed.runId, reason: describeError(error).message },
      'no new plan after a failed run',
    );
  }
}

/** Ends a run that could not begin: nothing was started. */
export async function refuse(
  deps: RunnerDeps,
  key: RunKey,
  begun: Begun & { ok: false },
): Promise<RunOutcome> {
  const { facts, code, message } = begun;
  deps.log.warn({ ...key, code }, 'a run was refused');
  if (facts === null) return 'failed';
  const at = deps.now();
  const audit = { teamId: key.teamId, at, kind: 'run.refused', actor: 'system', subject: `run:${key.runId}` };
  await durably(() => deps.store.audit({ ...audit, data: { code, message } }), deps.sleep);
  await durably(() => deps.store.finish({ ...key, outcome: 'failed', at }), deps.sleep);
  const { requestId, number, mode } = facts;
  const base = { ...key, requestId, number, mode, at: at.toISOString() };
  const reason = { code, message };
  await tell(deps, { ...base, type: 'finished', outcome: 'failed', results: [], criteria: [], reason });
  return 'failed';
}

/**
 * Ends a run that the engine gave up, as after a hundred crashes in a row. What its writes did is not known, so that
 * is what people are told.
 */
export async function abandon(deps: RunnerDeps, key: RunKey): Promise<void> {
  const row = await deps.store.run(key);
  if (row === null || row.state === 'finished') return;
  deps.log.warn({ ...key }, 'a run broke and was closed');
  const at = deps.now();
  const { requestId, number, mode } = row;
  const reason = { code: 'broken', message: 'The run broke down. Check by hand what its writes have done.' };
  const base = { ...key, requestId, number, mode, at: at.toISOString() };
  const outcome = mode === 'run' ? 'unknown' : 'failed';
  await deps.store.finish({ ...key, outcome, at });
  await tell(deps, { ...base, type: 'finished', outcome, results: [], criteria: [], reason });
}
