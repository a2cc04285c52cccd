import { ConditionError, compileCondition } from '../core/condition.ts';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import { lookUp, type Results, splitRef } from '../core/refs.ts';
import { nounFor, stepSentence, withoutText } from '../core/step-words.ts';
import type { Cancel } from '../store/write-facts.ts';
import { type ActiveRun, resultsFor, scopeFor } from './active-run.ts';
import { failed, type StepOutcome, skipped } from './step-outcome.ts';
import { changedSinceApproval, noLongerNeeded } from './what-changed.ts';

/** Why a step must not start, or null: a missing need, a stopped run, its condition, or a change since the approval. */
export function whyNot(run: ActiveRun, step: Step): StepOutcome | null {
  return (
    needMissing(run, step) ??
    stopped(run, step) ??
    conditionSaysNo(run, step) ??
    changedSinceApproval(run, step)
  );
}

/** Whether somebody stopped the run. Not used for writes: the transaction that records a write checks for itself. */
export async function cancelledBefore(run: ActiveRun): Promise<StepOutcome | null> {
  const cancel = await run.cancel();
  return cancel === null ? null : cancelled(run, cancel);
}

export function cancelled(run: ActiveRun, { by, reason }: Cancel): StepOutcome {
  const why = reason === '' ? '' : `: ${reason}`;
  return skipped('cancelled', `Not started: ${personWords(run, by)} cancelled the run${why}.`);
}

/** A failed step stops every write that waited for it; a read that does not need it is still useful. */
function stopped(run: ActiveRun, step: Step): StepOutcome | null {
  const { steps } = run.sealed.plan;
  const stopper = (run.before.get(step.id) ?? []).find((id) => {
    const status = run.finished.get(id)?.status;
    const wrong = status === 'failed' || status === 'unknown';
    return wrong && steps.find((one) => one.id === id)?.onError === 'stop';
  });
  if (stopper === undefined) return null;
  return skipped('run_stopped', `Not started: ${titled(run, stopper)} went wrong and stopped the run.`);
}

/** A step as named on the card: ids are for machines. */
function titled({ vocabulary }: ActiveRun, id: string): string {
  const step = vocabulary.steps.get(id);
  return step === undefined ? `step ${id}` : `“${withoutText(stepSentence(step, vocabulary))}”`;
}

/** `@ana` for a person in the catalogue, else the id. */
export function personWords({ deps }: ActiveRun, id: string): string {
  const person = deps.catalogue.people.find((one) => one.id === id);
  return person === undefined ? id : `@${person.handle}`;
}

/** Reasons for skipping that mean another step failed. */
const lost = new Set(['need_failed', 'run_stopped']);

function needMissing(run: ActiveRun, step: Step): StepOutcome | null {
  const needs = run.nodes.find((node) => node.id === step.id)?.needs ?? [];
  for (const need of needs) {
    const result = run.finished.get(need);
    if (result === undefined || result.status === 'succeeded') continue;
    if (result.status !== 'skipped') {
      return skipped('need_failed', `Not started: ${titled(run, need)} did not succeed.`);
    }
    const code = result.reason?.code ?? '';
    if (step.onSkip === 'skip' && code !== 'dry_run') {
      // A step skipped because of a failure counts as missing, and so does everything that depends on it.
      const cause = lost.has(code) ? 'need_failed' : 'need_skipped';
      return skipped(cause, `Not started: ${titled(run, need)} was skipped.`);
    }
  }
  return null;
}

/** A condition that cannot be evaluated is never true, and stops the step. */
function conditionSaysNo(run: ActiveRun, step: Step): StepOutcome | null {
  if (step.when === undefined) return null;
  try {
    if (compileCondition(step.when, scopeFor(run, step.id)).holds(resultsFor(run, step.id))) return null;
  } catch (error) {
    const undecided = onlyDescribed(run, step.when);
    if (undecided !== null) return undecided;
    return failed('stopped', `Its condition could not be evaluated: ${whyUndecided(error, run)}.`);
  }
  const changed = noLongerNeeded(run, step);
  if (changed !== null) return skipped('condition_changed', changed);
  const values = valuesIn(run, step.when, resultsFor(run, step.id));
  return skipped(
    'condition_false',
    `Not needed: its condition does not hold${values === '' ? '' : ` (${values})`}.`,
  );
}

function whyUndecided(error: unknown, { vocabulary }: ActiveRun): string {
  const { ref } = error instanceof ConditionError ? error.facts : {};
  return typeof ref === 'string' ? `${nounFor(ref, vocabulary)} is not known` : describeError(error).message;
}

/** In a dry run, a value that depends on a write that was only described is unknown. */
export function onlyDescribed(run: ActiveRun, text: string): StepOutcome | null {
  for (const [id, result] of run.finished) {
    if (result.reason?.code === 'dry_run' && new RegExp(`\\b${id}\\.`).test(text)) {
      return skipped('dry_run', `Depends on the result of step ${id}, which a dry run does not make.`);
    }
  }
  return null;
}

/** The values a condition saw: "open P1 tickets in OPS: 18, …". */
function valuesIn(run: ActiveRun, condition: string, results: Results): string {
  const refs = new Set(condition.match(/\b[a-z][a-z0-9_]*\.[a-z]\w*/g) ?? []);
  const said = [...refs].flatMap((ref) => {
    const { step, path } = splitRef(ref);
    const value = lookUp(results.get(step), path);
    if (value === undefined || typeof value === 'object') return [];
    return [`${nounFor(ref, run.vocabulary)}: ${value}`];
  });
  return said.join(', ');
}
