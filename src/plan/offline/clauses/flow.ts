import { allOf, type DraftCondition, type DraftStep, isCompare, negate } from '../draft/draft.ts';
import type { Clause } from './clause.ts';

/** What the clauses read so far leave for the next one. */
export interface Flow {
  /** The condition that clauses of this sentence hang on. */
  current: DraftCondition | null;
  /** The last condition, for "otherwise" and "in that case". */
  last: DraftCondition | null;
  /** What the branches before the last one leave: "if A …, else if B …, otherwise …". */
  rest: readonly DraftCondition[];
  sentence: number;
  /** Steps of the clause before, for "then". */
  before: DraftStep[];
  /** Write steps since the sentence began, for a condition at its end. */
  sinceStart: DraftStep[];
  /** What the last "then" came after: "then A and B" is about B as well. */
  after: readonly DraftStep[];
  /** The order before, which "if so" turns into a question: "check whether X, and page Y if so". */
  asked: Clause | null;
  /** What that order reads. */
  askedSteps: readonly DraftStep[];
  /** The order of the last condition was to do nothing. */
  idle: boolean;
}

/** "is not Done", "there are none". */
function denies(condition: DraftCondition): boolean {
  return isCompare(condition) && (condition.op === '!=' || (condition.op === '==' && condition.right === 0));
}

/** What holds for an order, given how its clause hangs on those before it. */
export function conditionFor(clause: Clause, flow: Flow): DraftCondition | null {
  if (clause.join === 'otherwise') return flow.last ? allOf([...flow.rest, negate(flow.last)]) : null;
  // After "if there are none, do nothing", "if yes" is the opposite.
  if (clause.join === 'same' && flow.last && flow.idle) return negate(flow.last);
  if (clause.join === 'same' && flow.last && clause.affirms && denies(flow.last)) return negate(flow.last);
  if (clause.join === 'same') return flow.last;
  return flow.current;
}
