import { factsDigest, prospectOf } from '../core/read-results.ts';
import {
  type CheckDue,
  type CriterionResult,
  outcomeOf,
  type RunOutcome,
  type StepResult,
} from '../core/run.ts';
import { type Checkpoint, load } from '../store/load-run.ts';
import type { Commit } from '../store/run-progress.ts';
import type { RunKey } from '../store/runs.ts';
import type { ActiveRun } from './active-run.ts';
import { arrivalsAfter, planOf } from './arrivals-after.ts';
import type { Executor, WorkDeps } from './context.ts';
import { runCriteria } from './criteria.ts';
import { Journal } from './journal.ts';
import { checksAfter } from './open-checks.ts';

interface Ending {
  readonly outcome: RunOutcome;
  readonly results: readonly StepResult[];
  readonly criteria: readonly CriterionResult[];
  /** Why it ended before its steps did. */
  readonly reason?: { readonly code: string; readonly message: string };
  /** Writes to be looked up from now on. */
  readonly checks: readonly CheckDue[];
}

/** Ends a run whose steps have all ended. */
export async function end(run: ActiveRun): Promise<RunOutcome> {
  const { sealed, stored } = run;
  const results = sealed.plan.steps.flatMap((step) => run.finished.get(step.id) ?? []);
  const criteria = await runCriteria(run);
  const outcome = outcomeWith(results, criteria);
  const checks = run.mode === 'run' ? checksAfter(sealed.plan, results, run.deps.now()) : [];
  await finish(run, stored, { outcome, results, criteria, checks });
  return outcome;
}

type Finishing = Pick<ActiveRun, 'deps' | 'key' | 'journal'>;

/** The audit line, the row, the request, the messages and what is left to do, atomically. */
async function finish({ deps, key, journal }: Finishing, stored: Checkpoint, ending: Ending): Promise<void> {
  const { mode, grant } = stored;
  const { outcome, results, checks } = ending;
  const seen = mode === 'read' ? { facts: factsDigest(results) } : {};
  const steps = results.map(({ stepId, tool, status, reason }) => {
    return { id: stepId, tool, status, ...(reason === null ? {} : { code: reason.code }) };
  });
  journal.note('run.finished', 'system', { outcome, steps, ...seen });
  const approval = grant && { by: grant.by, how: grant.how, at: grant.createdAt.toISOString() };
  journal.tell({ type: 'finished', ...ending, approval });
  const arrivals = arrivalsAfter(deps, key, stored, ending);
  await journal.flush({ outcome, at: deps.now(), ...next(deps, stored, results), arrivals, checks });
}

/**
 * The next state of its request: after the reads it is finished if there is nothing to write, and otherwise waits for
 * approval.
 */
function next(
  { catalogue }: WorkDeps,
  { mode, requestId, number, revision }: Checkpoint,
  results: readonly StepResult[],
): Pick<NonNullable<Commit['end']>, 'request' | 'answered'> {
  const id = requestId;
  if (mode === 'dry_run') return { request: null, answered: null };
  if (mode === 'run') return { request: { id, to: 'finished', from: ['review', 'running'] }, answered: null };
  const isOver =
    revision !== null && prospectOf(planOf(revision), results, catalogue.manifests) === 'nothing';
  const from = ['planning', 'review'] as const;
  return isOver
    ? { request: { id, to: 'finished', from }, answered: { requestId, number } }
    : { request: { id, to: 'review', from }, answered: null };
}

/** `done` also requires that no criterion is known to have failed. */
function outcomeWith(results: readonly StepResult[], criteria: readonly CriterionResult[]): RunOutcome {
  const outcome = outcomeOf(
    results,
    results.some((result) => result.reason?.code === 'cancelled'),
  );
  return outcome === 'done' && criteria.some((criterion) => criterion.holds === false) ? 'partly' : outcome;
}

/** Ends a run that could not begin: nothing was started. */
export async function refuse(
  run: Finishing,
  stored: Checkpoint,
  { code, message }: { code: string; message: string },
): Promise<RunOutcome> {
  const { requestId, number } = stored;
  run.deps.log.warn({ requestId, number, code }, 'a run was refused');
  run.journal.note('run.refused', 'system', { code, message });
  const reason = { code, message };
  await finish(run, stored, { outcome: 'failed', results: [], criteria: [], reason, checks: [] });
  return 'failed';
}

/** Ends a run that cannot continue. Reports what its rows contain; a write without a result is reported as in doubt. */
export async function abandon(deps: WorkDeps, { id, owned }: Executor, key: RunKey): Promise<RunOutcome> {
  const stored = await load(deps.db, key);
  if (stored === null || stored.state === 'finished') return stored?.outcome ?? 'failed';
  deps.log.warn({ ...key }, 'a run broke and was closed');
  const { requestId, number, mode } = stored;
  const journal = new Journal(deps, id, owned, { ...key, requestId, number, mode });
  const results = [...stored.results, ...inDoubt(stored, deps.now())];
  for (const result of results) journal.tell({ type: 'step_finished', stepId: result.stepId, result });
  const check = mode === 'run' ? ' Check by hand what its writes have done.' : '';
  const reason = { code: 'broken', message: `The run failed with an internal error.${check}` };
  const outcome = mode === 'run' ? 'unknown' : 'failed';
  await finish({ deps, key, journal }, stored, { outcome, results, criteria: [], reason, checks: [] });
  return outcome;
}

/** Writes that were started and whose step has no result. */
function inDoubt({ results, writes }: Checkpoint, now: Date): StepResult[] {
  const open = writes.filter(({ stepId }) => results.every((result) => result.stepId !== stepId));
  return open.map(({ stepId, tool, attempts, createdAt }) => {
    const message = 'The run failed during this write, so it may or may not have happened.';
    const reason = { code: 'broken', message };
    const [startedAt, finishedAt] = [createdAt.toISOString(), now.toISOString()];
    return { stepId, tool, status: 'unknown', result: null, reason, attempts, startedAt, finishedAt };
  });
}
