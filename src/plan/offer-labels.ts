import type { Offer, PlannerAnswer } from '../core/answer.ts';
import { cadenceWords } from '../core/cadence.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { capital } from '../core/step-words.ts';
import { watchedState } from '../core/title.ts';

/** Slack's limit for the text of a button. */
const maxLabel = 75;
/** Words at the beginning that stay: what is done. */
const minWords = 3;

type Manifests = ReadonlyMap<string, Manifest>;

/** The words of a button with a plan behind it: for a watch also how often it looks, and for what. */
export function planWords(plan: Plan, manifests: Manifests, more = ''): string {
  const { summary, watch } = plan;
  if (watch === undefined) return oneLine(`${summary}${more}`);
  const state = watchedState(plan, manifests);
  const what = state === '' || summary.includes(state) ? '' : `, report if ${state}`;
  return oneLine(`${capital(cadenceWords(watch.every))}: ${summary}${what}${more}`);
}

/** Plans as buttons with these words. */
export function buttonsOf(plans: readonly Plan[], words: readonly string[]): Offer[] {
  const labels = labelsOf(words);
  return plans.map((plan, nth) => ({ option: labels[nth] ?? '', plan }));
}

export type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

export const choiceOf = (question: string, missing: string, offers: readonly Offer[]): Question => ({
  ...{ kind: 'clarify', question, missing: [missing], offers },
  options: offers.map(({ option }) => option),
});

/**
 * The texts of buttons. A long one loses first the words that say nothing, then, for "…", words that it shares with
 * others or that compare nothing: a comparison, a number and the words that tell two buttons apart stay.
 */
export function labelsOf(texts: readonly string[]): string[] {
  const all = texts.map((text) => text.split(' '));
  return all.map((words, nth) => {
    const shared = all.map((other, at) => (at === nth ? 0 : sharedWords(words, other)));
    return shortened(words, Math.max(0, ...shared));
  });
}

/** How many words both begin with. */
function sharedWords(words: readonly string[], other: readonly string[]): number {
  const differs = words.findIndex((word, nth) => word !== other[nth]);
  return differs < 0 ? words.length : differs;
}

/** Words without which a label says the same, and what stands in their place. */
const sparing: readonly (readonly [string, string])[] = [
  [' there are ', ' '],
  [' the on-call of ', ' '],
  [' minutes: ', ' min: '],
  [' the number of ', ' '],
];

function shortened(words: readonly string[], shared: number): string {
  const whole = words.join(' ');
  if (whole.length <= maxLabel) return whole;
  let brief = whole;
  for (const [said, instead] of sparing) {
    brief = brief.replace(said, instead);
    if (brief.length <= maxLabel) return brief;
  }
  const left = brief.split(' ');
  const differs = words[shared] ?? '';
  return withoutSpare(left, (word) => word === differs && shared > minWords);
}

const compares = new Set('if more fewer less than at least most no not exactly over under is'.split(' '));

/** Leaves out whole words from the middle of the longest run of those that may go, then of the next one, until the rest fits. */
function withoutSpare(words: readonly string[], isKept: (word: string) => boolean): string {
  const runs: number[][] = [[]];
  words.forEach((word, nth) => {
    const isEdge = nth < minWords || nth === words.length - 1;
    if (isEdge || compares.has(word) || /\d/.test(word) || isKept(word)) runs.push([]);
    else runs.at(-1)?.push(nth);
  });
  const gone = new Set<number>();
  for (const run of runs.sort((a, b) => b.length - a.length)) {
    for (const nth of fromMiddle(run)) {
      gone.add(nth);
      const label = withGaps(words, gone);
      if (label.length <= maxLabel) return label;
    }
  }
  return cut(withGaps(words, gone), maxLabel);
}

function fromMiddle(run: readonly number[]): number[] {
  const middle = ((run[0] ?? 0) + (run.at(-1) ?? 0)) / 2;
  return [...run].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

function withGaps(words: readonly string[], gone: ReadonlySet<number>): string {
  const shown = words.map((word, nth) => (gone.has(nth) ? '…' : word));
  return shown.filter((word, nth) => !(word === '…' && shown[nth - 1] === '…')).join(' ');
}
