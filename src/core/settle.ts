import { cut, oneLine } from './clean-text.ts';
import { stepsReadBy } from './condition.ts';
import { factsAndWord, type Verdict, verdictOf } from './condition-result.ts';
import type { Plan, PlannedCause } from './plan.ts';
import type { StepResult } from './run.ts';
import { capital, stepSentence, type Vocabulary, withoutText } from './step-words.ts';

/** Whether the evidence supports a cause. A condition alone decides; where it cannot, nobody guesses. */
export type CauseVerdict = 'supported' | 'unchecked' | 'refuted';

export interface Settled {
  readonly cause: PlannedCause;
  readonly verdict: CauseVerdict;
  /** The numbers that say so, or why it is not checked. */
  readonly words: string;
  /** The reads that it rests on. */
  readonly results: readonly StepResult[];
}

const order: readonly CauseVerdict[] = ['supported', 'unchecked', 'refuted'];

/** The verdicts on a plan's causes, supported ones first. */
export function settle(
  { situation }: Pick<Plan, 'situation'>,
  words: Vocabulary,
  results: readonly StepResult[],
): Settled[] {
  const settled = (situation?.causes ?? []).map((cause) => settleOne(cause, words, results));
  return settled.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

/** When the fix of a cause helped the last time, in ISO 8601, by the cause's id. */
export type LastTime = ReadonlyMap<string, string>;

/** Verdicts of one kind with what it was last time first. */
export function byLastTime(settled: readonly Settled[], last: LastTime): Settled[] {
  const at = ({ cause }: Settled) => last.get(cause.id) ?? '';
  return settled.toSorted(
    (a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || at(b).localeCompare(at(a)),
  );
}

function settleOne(cause: PlannedCause, words: Vocabulary, results: readonly StepResult[]): Settled {
  const read = stepsReadBy(cause.when, words.scope);
  const own = read.flatMap((id) => results.find(({ stepId }) => stepId === id) ?? []);
  const verdict = verdictOf(cause.when, { words, targets: [] }, results);
  if (verdict !== null) {
    const { holds } = verdict;
    return { cause, verdict: holds ? 'supported' : 'refuted', words: numbersIn(verdict), results: own };
  }
  return { cause, verdict: 'unchecked', words: whyUnchecked(read, words, results), results: own };
}

/** "230 errors of checkout: more than 20." A condition of several parts stands behind its facts. */
function numbersIn(verdict: Verdict): string {
  const { facts, word, values } = verdict;
  const said = word?.startsWith(values) ? `${capital(facts)} (${word}).` : factsAndWord(verdict).join('');
  return oneLine(said);
}

/** The first read without a result, with its reason. */
function whyUnchecked(read: readonly string[], words: Vocabulary, results: readonly StepResult[]): string {
  for (const id of read) {
    const result = results.find(({ stepId }) => stepId === id);
    if (result?.status === 'succeeded') continue;
    const step = words.steps.get(id);
    const sentence = step === undefined ? id : withoutText(stepSentence(step, words));
    return `${sentence}: ${cut(oneLine(result?.reason?.message ?? 'it was not read.'), 300)}`;
  }
  return 'Its condition cannot be evaluated.';
}
