import { compileCondition } from '../core/condition.ts';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import { lookUp, type Results, splitRef } from '../core/refs.ts';
import { nounFor, stepSentence, withoutText } from '../core/words.ts';
import { type ActiveRun, resultsFor, scopeFor } from './active-run.ts';
import { changedSince, noLongerNeeded } from './changed.ts';
import { type Draft, failed, skipped } from './draft.ts';
import type { Cancel } from './ports.ts';

/** Why a step is not started, or null: a need is missing, the run was stopped, its condition, or what was approved. */
export function whyNot(run: ActiveRun, step: Step): Draft | null {
  return (
    needMissing(run, step) ?? stopped(run, step) ?? conditionSaysNo(run, step) ?? changedSince(run, step)
  );
}

/** Whether somebody stopped the run. A write is not asked this: the transaction that notes it looks for itself. */
export async function cancelledBefore(run: ActiveRun): Promise<Draft | null> {
  const cancel = await run.cancel();
  return cancel === null ? null : cancelled(run, cancel);
}

export function cancelled(run: ActiveRun, { by, reason }: Cancel): Draft {
  const why = reason === '' ? '' : `: ${reason}`;
  return skipped('cancelled', `Not started: ${personWords(run, by)} cancelled the run${why}.`);
}

/** A step that went wrong stops every write that waited for it; a read that needs nothing of it still tells something. */
function stopped(run: ActiveRun, step: Step): Draft | null {
  const { steps } = run.sealed.plan;
  const stopper = (run.before.get(step.id) ?? []).find((id) => {
    const status = run.finished.get(id)?.status;
    const wrong = status === 'failed' || status === 'unknown';
    return wrong && steps.find((one) => one.id === id)?.onError === 'stop';
  });
  if (stopper === undefined) return null;
  return skipped('run_stopped', `Not started: ${titled(run, stopper)} went wrong and stopped the run.`);
}

/** A step as the card calls it: ids are for machines. */
function titled({ vocabulary }: ActiveRun, id: string): string {
  const step = vocabulary.steps.get(id);
  return step === undefined ? `step ${id}` : `“${withoutText(stepSentence(step, vocabulary))}”`;
}

/** `@ana` for a person of the catalogue, else the id. */
export function personWords({ deps }: ActiveRun, id: string): string {
  const person = deps.catalogue.people.find((one) => one.id === id);
  return person === undefined ? id : `@${person.handle}`;
}

/** Reasons for a skip that mean that another step went wrong. */
const lost = new Set(['need_failed', 'run_stopped']);

function needMissing(run: ActiveRun, step: Step): Draft | null {
  const needs = run.nodes.find((node) => node.id === step.id)?.needs ?? [];
  for (const need of needs) {
    const result = run.finished.get(need);
    if (result === undefined || result.status === 'succeeded') continue;
    if (result.status !== 'skipped') {
      return skipped('need_failed', `Not started: ${titled(run, need)} did not succeed.`);
    }
    const code = result.reason?.code ?? '';
    if (step.onSkip === 'skip' && code !== 'dry_run') {
      // What was skipped because something went wrong is missing, and so is all that hangs on it.
      const cause = lost.has(code) ? 'need_failed' : 'need_skipped';
      return skipped(cause, `Not started: ${titled(run, need)} was skipped.`);
    }
  }
  return null;
}

/** A condition that cannot be evaluated stops the step: it is never true. */
function conditionSaysNo(run: ActiveRun, step: Step): Draft | null {
  if (step.when === undefined) return null;
  try {
    if (compileCondition(step.when, scopeFor(run, step.id)).holds(resultsFor(run, step.id))) return null;
  } catch (error) {
    const undecided = onlyDescribed(run, step.when);
    if (undecided !== null) return undecided;
    return failed('stopped', `Its condition could not be evaluated: ${describeError(error).message}.`);
  }
  const changed = noLongerNeeded(run, step);
  if (changed !== null) return skipped('condition_changed', changed);
  const values = valuesIn(run, step.when, resultsFor(run, step.id));
  return skipped(
    'condition_false',
    `Not needed: its condition does not hold${values === '' ? '' : ` (${values})`}.`,
  );
}

/** In a dry run, a step behind a write that was only described: it cannot be known. */
export function onlyDescribed(run: ActiveRun, text: string): Draft | null {
  for (const [id, result] of run.finished) {
    if (result.reason?.code === 'dry_run' && new RegExp(`\\b${id}\\.`).test(text)) {
      return skipped('dry_run', `Depends on the result of step ${id}, which a dry run does not make.`);
    }
  }
  return null;
}

/** What a condition looked at, with the values it saw: "open P1 tickets in OPS: 18, …". */
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
