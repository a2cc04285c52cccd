import { conditionValues } from '../core/condition-words.ts';
import { fieldInfo } from '../core/fields.ts';
import type { Step } from '../core/plan.ts';
import { isDescribed } from '../core/read-results.ts';
import { filledText, type Results, refsIn, resultsById } from '../core/refs.ts';
import { type ActiveRun, resultsFor, toolOf } from './active-run.ts';
import { failed, type StepOutcome, skipped } from './step-outcome.ts';

/** Results of the reads before approval, by step; null if there were none. */
export function seenResults({ stored }: ActiveRun): Results | null {
  return stored.facts && resultsById(stored.facts);
}

/**
 * A write is made only if the approved card announced it: not if its condition began to hold after the approval, and
 * not to a person that a read only names now. Null when nothing changed, or nothing was read before the approval.
 */
export function changedSinceApproval(run: ActiveRun, step: Step): StepOutcome | null {
  const seen = seenResults(run);
  if (seen === null || run.mode !== 'run' || toolOf(run, step).effect === 'read') return null;
  const before = run.stored.facts?.find(({ stepId }) => stepId === step.id);
  // The card said that it is so already.
  if (before?.reason?.code === 'done_already') return skipped('done_already', before.reason.message);
  return isDescribed(before) ? retargeted(run, step, seen) : notShown(run, step, seen);
}

function notShown(run: ActiveRun, step: Step, seen: Results): StepOutcome {
  const then = step.when === undefined ? null : valuesIn(run, step.when, seen);
  const now = step.when === undefined ? null : valuesIn(run, step.when, resultsFor(run, step.id));
  const values = then === null || now === null ? '' : ` (${then} then, ${now} now)`;
  return failed(
    'facts_changed',
    `The card that was approved said this would not run${values}. Nothing was sent.`,
  );
}

function retargeted(run: ActiveRun, step: Step, seen: Results): StepOutcome | null {
  const { manifest } = toolOf(run, step).tool;
  const results = resultsFor(run, step.id);
  for (const [name, value] of Object.entries(step.args)) {
    const schema = manifest.args.shape[name];
    const isTarget = schema !== undefined && fieldInfo(schema).kind === 'target';
    if (!isTarget || refsIn(value).length === 0) continue;
    const [then, now] = [filledText(value, seen), filledText(value, results)];
    if (then === null || then === now) continue;
    const words = name.replaceAll('_', ' ');
    return failed(
      'target_moved',
      `You approved ${words} ${then}; it is now ${now ?? 'unknown'}. Nothing was sent.`,
    );
  }
  return null;
}

/** Why a write whose condition held on the card is no longer needed, with both values; null otherwise. */
export function noLongerNeeded(run: ActiveRun, step: Step): string | null {
  const seen = seenResults(run);
  const before = run.stored.facts?.find(({ stepId }) => stepId === step.id);
  if (seen === null || step.when === undefined || run.mode !== 'run' || !isDescribed(before)) return null;
  const then = valuesIn(run, step.when, seen);
  const now = valuesIn(run, step.when, resultsFor(run, step.id));
  if (then === now) return null;
  return `No longer needed: ${then} when it was approved, ${now} now.`;
}

function valuesIn({ vocabulary }: ActiveRun, when: string, results: Results): string {
  return conditionValues(when, { ...vocabulary, results });
}
