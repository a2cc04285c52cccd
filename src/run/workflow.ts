import { DBOS } from '@dbos-inc/dbos-sdk';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import { unseal } from '../core/revision.ts';
import type { RunOutcome, StepResult } from '../core/run.ts';
import { type ActiveRun, activeRun, callOrder, toolOf } from './active-run.ts';
import { begin } from './begin.ts';
import { end, refuse } from './end.ts';
import type { RunKey, RunnerDeps } from './ports.ts';
import { executeStep } from './step.ts';

/**
 * One run as a durable workflow. DBOS knows steps by the order in which they are called, so all of them are called at
 * once in one sorted order, and each waits inside for what it needs: nothing depends on which one is fast, a restart
 * finds every result where it was, and no step waits for a wave to fill.
 */
export async function runWorkflow(
  deps: RunnerDeps,
  { rules, ours }: Pick<ActiveRun, 'rules' | 'ours'>,
  key: RunKey,
): Promise<RunOutcome> {
  const begun = await DBOS.runStep(() => begin(deps, key), { name: '_begin' });
  if (!begun.ok) return DBOS.runStep(() => refuse(deps, key, begun), { name: '_refuse' });
  const { sealed, digest } = unseal(begun.bytes, begun.digest);
  const { mode, startedAt } = begun.facts;
  const run = activeRun({
    deps,
    rules,
    ours,
    key,
    mode,
    startedAt: new Date(startedAt),
    sealed,
    digest,
    threadLink: once(() => threadLink(deps, key.teamId, sealed.requestId)),
  });
  // Asked for while the reads are under way: no write should have to wait for it.
  if (mode === 'run' && sealed.plan.steps.some((step) => toolOf(run, step).effect === 'write')) {
    void run.threadLink();
  }
  await runSteps(run);
  return DBOS.runStep(() => end(run), { name: '_end' });
}

async function runSteps(run: ActiveRun): Promise<void> {
  const { steps } = run.sealed.plan;
  const { order, stuck } = callOrder(steps, (step) => toolOf(run, step).effect);
  if (stuck.length > 0) throw new TypeError(`steps ${stuck.join(', ')} wait for each other`);
  const byId = new Map(steps.map((step) => [step.id, step]));
  for (const { id, needs } of order) {
    const step = byId.get(id);
    if (step === undefined) continue;
    run.before.set(id, needs);
    startStep(run, step, needs);
  }
  await Promise.allSettled([...run.settled.values(), ...run.recorded.values()]);
}

/**
 * Not async: the step has to get its number from DBOS in the same turn. What comes after a step goes on as soon as
 * its result is stored, which is all that a restart needs; the engine's own record and the report follow beside it.
 */
function startStep(run: ActiveRun, step: Step, before: readonly string[]): void {
  const stored = Promise.withResolvers<StepResult>();
  const ready = Promise.all(before.map((id) => run.settled.get(id)));
  const inOrder = Promise.allSettled(before.map((id) => run.recorded.get(id)));
  const body = async (): Promise<StepResult> => {
    await ready;
    return executeStep(run, step, async (result) => {
      stored.resolve(result);
      // Thread replies stand in the order of the steps.
      await inOrder;
    });
  };
  const recorded = DBOS.runStep(body, { name: step.id }).catch((error: unknown) => broken(run, step, error));
  const settled = Promise.race([stored.promise, recorded]).then((result) => {
    run.finished.set(step.id, result);
    return result;
  });
  run.recorded.set(step.id, recorded);
  run.settled.set(step.id, settled);
}

/** A step whose own machinery failed. A write of it may have been made, so it is in doubt. */
function broken(run: ActiveRun, step: Step, error: unknown): StepResult {
  const { message } = describeError(error);
  run.deps.log.warn({ ...run.key, step: step.id, reason: message }, 'a step broke');
  const at = run.deps.now().toISOString();
  const status = toolOf(run, step).effect === 'write' && run.mode === 'run' ? 'unknown' : 'failed';
  const reason = { code: 'internal', message: `The step broke: ${message}` };
  const { id: stepId, tool } = step;
  return { stepId, tool, status, result: null, reason, attempts: 1, startedAt: at, finishedAt: at };
}

function once<T>(get: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= get();
    return value;
  };
}

const linkPatienceMs = 3_000;

/** A page is worth more than its link: what cannot be had quickly is left out. */
async function threadLink(deps: RunnerDeps, teamId: string, requestId: string): Promise<string | null> {
  const link = deps.threadLink(teamId, requestId).catch((error: unknown) => {
    deps.log.info({ requestId, reason: describeError(error).message }, 'no link to the thread');
    return null;
  });
  return Promise.race([link, deps.sleep(linkPatienceMs).then(() => null)]);
}
