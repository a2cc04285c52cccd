import { type Verdict, verdictOf } from '../../core/condition-result.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Facts, type Prospect, prospectOf } from '../../core/read-results.ts';
import { filledText, fittedText, refsIn } from '../../core/refs.ts';
import { noneWords, type Spoken, stepOutcome } from '../../core/result-words.ts';
import type { Revision } from '../../core/revision.ts';
import type { StepResult } from '../../core/run.ts';
import { nounFor, vocabularyOf } from '../../core/step-words.ts';
import type { Manifests } from './step-view.ts';

/** The card's facts: the results read for it, and what approving would do now. */
export interface FactsView {
  readonly prospect: Prospect;
  resultOf(stepId: string): StepResult | undefined;
  /** "about 24 open P1 tickets in OPS". */
  outcomeOf(result: StepResult): string;
  /** The verdict on a condition; null if it cannot be decided. */
  verdictOf(when: string): Verdict | null;
  /** A step's argument as it will be sent: with current values, and words for what only a write will tell. */
  textOf(stepId: string, arg: string): string | null;
}

export function factsView({ sealed }: Revision, facts: Facts, manifests: Manifests): FactsView {
  const { plan, targets } = sealed;
  const words = vocabularyOf(plan.steps, manifests, targets);
  const spoken: Spoken = { words, targets };
  const byId = new Map(facts.map((result) => [result.stepId, result]));
  const known = new Map(
    facts.flatMap(({ stepId, result }): [string, JsonObject][] => (result ? [[stepId, result]] : [])),
  );
  return {
    prospect: prospectOf(plan, facts, manifests),
    resultOf: (stepId) => byId.get(stepId),
    outcomeOf: (result) => stepOutcome(spoken, result),
    verdictOf: (when) => verdictOf(when, spoken, facts),
    textOf(stepId, arg) {
      const value = words.steps.get(stepId)?.args[arg];
      const manifest = words.scope.get(stepId);
      if (value === undefined) return null;
      const called = typeof value === 'string' ? words.called?.get(value) : undefined;
      if (called !== undefined) return called;
      const none = (ref: string) => noneWords(ref, words, known);
      const text = filledText(value, known, none, (ref) => `‹${nounFor(ref, words)}›`);
      const isMade = manifest !== undefined && text !== null && refsIn(value).length > 0;
      return isMade ? fittedText(manifest, arg, text) : text;
    },
  };
}
