import { linked, linksOf } from '../../blocks/links.ts';
import type { Span } from '../../blocks/rich.ts';
import type { LinkHosts } from '../../core/address.ts';
import { cutWords, oneLine } from '../../core/clean-text.ts';
import { type Verdict, verdictOf } from '../../core/condition-result.ts';
import { own } from '../../core/own-property.ts';
import { type Facts, type Prospect, prospectOf } from '../../core/read-results.ts';
import { filledText, fittedText, refsIn, resultsById } from '../../core/refs.ts';
import { noneWords, type Spoken, stepOutcome } from '../../core/result-words.ts';
import type { Revision } from '../../core/revision.ts';
import type { StepResult } from '../../core/run.ts';
import { argWords, capital, nounFor, vocabularyOf } from '../../core/step-words.ts';
import type { Manifests } from './step-view.ts';

const maxQuote = 140;
/** Longer ones would take the room of the plan. */
const maxAddress = 300;

/** The card's facts: the results read for it, and what approving would do now. */
export interface FactsView {
  readonly prospect: Prospect;
  resultOf(stepId: string): StepResult | undefined;
  /** "about 24 open P1 tickets in OPS". */
  outcomeOf(result: StepResult): string;
  /** The outcome as a sentence with its links, and the beginning of what a manifest quotes. */
  spansOf(result: StepResult): Span[];
  /** The verdict on a condition; null if it cannot be decided. */
  verdictOf(when: string): Verdict | null;
  /** A step's argument as it will be sent: with current values, and words for what only a write will tell. */
  textOf(stepId: string, arg: string): string | null;
}

export function factsView(
  { sealed }: Revision,
  facts: Facts,
  manifests: Manifests,
  hosts: LinkHosts = [],
): FactsView {
  const { plan, targets } = sealed;
  const words = vocabularyOf(plan.steps, manifests, targets);
  const spoken: Spoken = { words, targets };
  const byId = new Map(facts.map((result) => [result.stepId, result]));
  const known = resultsById(facts);
  // Each condition is asked for by several lines and by both forms of the card.
  const verdicts = new Map<string, Verdict | null>();
  return {
    prospect: prospectOf(plan, facts, manifests),
    resultOf: (stepId) => byId.get(stepId),
    outcomeOf: (result) => stepOutcome(spoken, result),
    spansOf(result) {
      const said = capital(oneLine(stepOutcome(spoken, result)));
      const manifest = words.scope.get(result.stepId);
      const step = words.steps.get(result.stepId);
      if (manifest === undefined || step === undefined || !result.result) return [said];
      const all = linksOf({ manifest, args: argWords(step, words), result: result.result, hosts });
      const links = all.filter(({ url }) => url.length <= maxAddress);
      const quoted = own(result.result, manifest.shows?.quotes ?? '');
      const quote = typeof quoted === 'string' ? cutWords(oneLine(quoted), maxQuote) : '';
      return [...linked(said, links), quote === '' ? '' : `: “${quote}”`];
    },
    verdictOf(when) {
      const verdict = verdicts.get(when) ?? verdictOf(when, spoken, facts);
      verdicts.set(when, verdict);
      return verdict;
    },
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
