import { describeError } from '../core/errors.ts';
import { fairTurns } from '../core/fair-queue.ts';
import type { Step } from '../core/plan.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { RunOutcome, StepResult } from '../core/run.ts';
import type { Checkpoint } from '../store/load-run.ts';
import { cancelOf, type RunKey } from '../store/runs.ts';
import type { Grant } from '../store/write-facts.ts';
import { type ActiveRun, activeRun, callOrder, toolOf } from './active-run.ts';
import type { Executor, WorkDeps } from './context.ts';
import { abandon, end, refuse } from './end.ts';
import { Journal, LostRunError } from './journal.ts';
import { retryStore } from './retry.ts';
import { executeStep } from './step.ts';

/**
 * One run: a plain function that reads the stored state and continues from there. It may be re-entered at any point,
 * because every result, intent and audit line that matters is stored before anything depends on it.
 */
export async function runWorkflow(
  deps: WorkDeps,
  executor: Executor,
  key: RunKey,
  stored: Checkpoint,
): Promise<RunOutcome> {
  const { requestId, number, mode } = stored;
  const begun = begin(stored);
  const about = { ...key, requestId, number, mode };
  const journal = new Journal(deps, executor.id, executor.owned, about, begun.ok ? begun.revision : null);
  if (!begun.ok) return refuse({ deps, key, journal }, stored, begun);
  if (!stored.begun) {
    const { digest } = begun.revision;
    journal.note('run.started', begun.grant?.approver ?? 'system', { mode, digest });
  }
  journal.tell({ type: 'started' });
  const run = openRun(deps, key, { stored, revision: begun.revision, journal });
  // Fetched while the reads run, so that no write has to wait for it.
  if (mode === 'run' && run.sealed.plan.steps.some((step) => toolOf(run, step).effect === 'write')) {
    void run.threadLink();
  }
  try {
    await runSteps(run);
    return await end(run);
  } catch (error) {
    journal.drop();
    if (error instanceof LostRunError) throw error;
    deps.log.warn({ ...key, reason: describeError(error).message }, 'a run broke');
    return abandon(deps, executor, key);
  }
}

/** The approved revision, or why it cannot be run. */
type Begun =
  | { readonly ok: true; readonly revision: Revision; readonly grant: Grant | null }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Checks a run's stored state before it starts: its approval covers these bytes, and they are unchanged. */
function begin({ mode, revision, grant }: Checkpoint): Begun {
  const no = (code: string, message: string): Begun => ({ ok: false, code, message });
  if (revision === null) return no('no_revision', 'The plan of this run is not stored.');
  if (mode === 'run' && grant?.digest !== revision.digest) {
    const code = grant === null ? 'no_grant' : 'digest_mismatch';
    return no(code, 'There is no valid approval for this plan; nothing was run.');
  }
  try {
    return { ok: true, revision: unseal(revision.bytes, revision.digest), grant };
  } catch (error) {
    return no(describeError(error).code, describeError(error).message);
  }
}

function openRun(
  deps: WorkDeps,
  key: RunKey,
  { stored, revision, journal }: { stored: Checkpoint; revision: Revision; journal: Journal },
): ActiveRun {
  const { sealed, digest } = revision;
  return activeRun({
    ...{ deps, key, journal, stored, sealed, digest },
    mode: stored.mode,
    startedAt: stored.startedAt,
    enteredAt: deps.now(),
    cancel: cancelReader(deps, key, stored.cancel),
    threadLink: once(() => threadLink(deps, stored)),
  });
}

/** Each step starts as soon as all the steps it waits for have ended, and no more are under way than may be. */
export async function runSteps(run: ActiveRun): Promise<void> {
  const { steps } = run.sealed.plan;
  const { order, stuck } = callOrder(steps, (step) => toolOf(run, step).effect);
  if (stuck.length > 0) throw new TypeError(`steps ${stuck.join(', ')} wait for each other`);
  run.journal.tellInOrder(steps.map(({ id }) => id));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ended = new Map<string, Promise<void>>();
  const turns = fairTurns({ max: run.deps.stepsAtOnce ?? Number.POSITIVE_INFINITY });
  for (const { id, needs } of order) {
    const step = byId.get(id);
    if (step === undefined) continue;
    run.before.set(id, needs);
    const ready = Promise.all(needs.map((need) => ended.get(need)));
    ended.set(
      id,
      ready.then(() => turns.take('', () => runStep(run, step))),
    );
  }
  // All steps end before the run does, even if it is lost meanwhile.
  await Promise.allSettled(ended.values());
  await Promise.all(ended.values());
}

async function runStep(run: ActiveRun, step: Step): Promise<void> {
  try {
    run.finished.set(step.id, await executeStep(run, step));
  } catch (error) {
    const result = broken(run, step, error);
    run.journal.stepEnds(result);
    run.finished.set(step.id, result);
  }
}

/** Result of a step whose execution threw unexpectedly. Its write may have been made, so it is in doubt. */
function broken(run: ActiveRun, step: Step, error: unknown): StepResult {
  const { message } = describeError(error);
  run.deps.log.warn({ ...run.key, step: step.id, reason: message }, 'a step broke');
  const at = run.deps.now().toISOString();
  const status = toolOf(run, step).effect === 'write' && run.mode === 'run' ? 'unknown' : 'failed';
  const reason = { code: 'internal', message: `The step failed with an internal error: ${message}` };
  const { id: stepId, tool } = step;
  return { stepId, tool, status, result: null, reason, attempts: 1, startedAt: at, finishedAt: at };
}

/** Milliseconds for which an answer is cached. Before a write it is read again, in the transaction that records the write. */
const cancelMs = 100;

function cancelReader(
  { db, sleep }: WorkDeps,
  key: RunKey,
  known: Checkpoint['cancel'],
): ActiveRun['cancel'] {
  let answer = Promise.resolve(known);
  let askedAt = performance.now();
  return () => {
    if (performance.now() - askedAt > cancelMs) {
      askedAt = performance.now();
      answer = retryStore(() => cancelOf(db, key), sleep);
    }
    return answer;
  };
}

function once<T>(get: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= get();
    return value;
  };
}

const linkMs = 3_000;

/** A page matters more than its link: a slow one is left out. */
async function threadLink(deps: WorkDeps, { card, requestId }: Checkpoint): Promise<string | null> {
  if (card === null) return null;
  const link = deps.threadLink(card).catch((error: unknown) => {
    deps.log.info({ requestId, reason: describeError(error).message }, 'no link to the thread');
    return null;
  });
  return Promise.race([link, deps.sleep(linkMs).then(() => null)]);
}
