import { cut, oneLine } from '../core/clean-text.ts';
import { stepsReadBy } from '../core/condition.ts';
import { factsAndWord, verdictOf } from '../core/condition-result.ts';
import { listsIn } from '../core/for-each.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { isDescribed, prospectOf } from '../core/read-results.ts';
import { splitRef } from '../core/refs.ts';
import { stepOutcome } from '../core/result-words.ts';
import type { StepResult } from '../core/run.ts';
import { capital, type Vocabulary, vocabularyOf } from '../core/step-words.ts';
import type { CheckResult } from './alarm.ts';
import type { Seen } from './context.ts';
import { measureOf } from './threshold.ts';

export interface Evaluation {
  readonly result: CheckResult;
  /** "32 open P1 tickets in OPS: more than 30", or why it cannot be decided. */
  readonly found: string;
  /** The vendor says that the target does not exist or is not allowed: waiting does not help. */
  readonly isRefused: boolean;
}

const refusals = new Set(['not_found', 'refused', 'forbidden', 'bad_argument', 'bad_args']);

/** Whether there is anything to report, by the plan's own conditions, and the finding in words. */
export function evaluate(plan: Plan, seen: Seen, manifests: ReadonlyMap<string, Manifest>): Evaluation {
  const { results } = seen;
  const criteria = seen.criteria.filter(({ source }) => !source.startsWith('words:'));
  const missed = criteria.find(({ holds }) => holds === false);
  const prospect = prospectOf(plan, results, manifests);
  const failed = results.find(({ status }) => status === 'failed');
  const isUnclear = prospect === 'unclear' || (prospect !== 'writes' && failed !== undefined);
  const without = missed === undefined ? withoutValue(criteria, seen, plan, manifests) : null;
  if (without !== null) return { result: { kind: 'unclear' }, found: without, isRefused: false };
  if (isUnclear && missed === undefined) {
    const { code = '', message = 'Something could not be read.' } = failed?.reason ?? {};
    return { result: { kind: 'unclear' }, found: cut(oneLine(message), 300), isRefused: refusals.has(code) };
  }
  const words = vocabularyOf(plan.steps, manifests);
  const kept = missed ?? criteria[0];
  const source = conditionOf(plan, results) ?? kept?.source ?? null;
  const isKept = source !== null && source === kept?.source;
  const verdict = source === null ? null : verdictOf(source, { words, targets: [] }, results);
  const facts = verdict === null ? listed(plan, words, results) : factsAndWord(verdict).join('');
  const found = cut(oneLine(facts).replace(/\.$/, ''), 300);
  if (prospect !== 'writes' && missed === undefined)
    return { result: { kind: 'false' }, found, isRefused: false };
  const measured = source === null ? null : measureOf(source, words, results, { isKept });
  return { result: { kind: 'true', measured }, found, isRefused: false };
}

/** The outcome of a read without a main result that a criterion needs: no data is no good news. Null where there is none. */
function withoutValue(
  criteria: Seen['criteria'],
  { results }: Seen,
  plan: Plan,
  manifests: ReadonlyMap<string, Manifest>,
): string | null {
  const words = vocabularyOf(plan.steps, manifests);
  const open = criteria.filter(({ holds }) => holds === null);
  const read = open.flatMap(({ source }) => stepsReadBy(source, words.scope));
  const lacking = results.find(({ stepId, result }) => {
    const main = words.scope.get(stepId)?.main;
    return read.includes(stepId) && result !== null && main !== undefined && result[main] === undefined;
  });
  return lacking === undefined ? null : cut(oneLine(stepOutcome({ words, targets: [] }, lacking)), 300);
}

/** The entries of the lists that writes go through. */
function listed(plan: Plan, words: Vocabulary, results: readonly StepResult[]): string {
  const ids = listsIn(plan).map((list) => splitRef(list).step);
  const read = results.filter(({ stepId, status }) => ids.includes(stepId) && status === 'succeeded');
  return capital(read.map((result) => stepOutcome({ words, targets: [] }, result)).join('; '));
}

/** The condition of a write that would be made; if none would, the first condition. */
function conditionOf({ steps }: Plan, results: readonly StepResult[]): string | null {
  const made = new Set(results.filter(isDescribed).map(({ stepId }) => stepId));
  const conditions = steps.filter(({ when }) => when !== undefined);
  const [first] = [...conditions.filter(({ id }) => made.has(id)), ...conditions];
  return first?.when ?? null;
}
