import type { ASTNode } from '@marcbachmann/cel-js';
import { fieldOf } from './cel.ts';
import { thanWords } from './comparison-words.ts';
import { ConditionError, compileCondition } from './condition.ts';
import { conditionValues, isStatement, memberWords } from './condition-words.ts';
import { lookUp, resultsById, splitRef } from './refs.ts';
import { type Spoken, stepOutcome } from './result-words.ts';
import type { StepResult } from './run.ts';
import { capital, nounFor, type Vocabulary } from './step-words.ts';

/** The verdict on a condition, given the results. */
export interface Verdict {
  readonly holds: boolean;
  /** "24 open P1 tickets in OPS, the SLA allows 20". */
  readonly facts: string;
  /** "breached", "more than 22"; null where the facts already say it: "OPS-1 is 2 hours over its SLA". */
  readonly word: string | null;
  /** "24 > 20". */
  readonly values: string;
}

/** Null where these results cannot decide the condition. */
export function verdictOf(when: string, spoken: Spoken, results: readonly StepResult[]): Verdict | null {
  const known = resultsById(results);
  const words = { ...spoken.words, results: known };
  try {
    const condition = compileCondition(when, words.scope);
    const read = condition.steps.flatMap((id) => results.find(({ stepId }) => stepId === id) ?? []);
    const holds = condition.holds(known);
    const values = conditionValues(when, words);
    const facts = read.map((result) => factOf(when, words, spoken, result)).join(', ');
    return { holds, facts, word: verdictWord(condition.ast, words, { holds, values }), values };
  } catch (error) {
    if (error instanceof ConditionError) return null;
    throw error;
  }
}

/** The outcome of a step, or the deciding number itself where the outcome does not mention it: "1 people on call for ops". */
function factOf(when: string, words: Vocabulary, spoken: Spoken, result: StepResult): string {
  const outcome = stepOutcome(spoken, result);
  const said = words.scope.get(result.stepId)?.said ?? [];
  const refs = [...new Set(when.match(/\b[a-z][a-z0-9_]*\.[a-z]\w*/g) ?? [])];
  const unsaid = refs.flatMap((ref) => {
    const { step, path } = splitRef(ref);
    const value = step === result.stepId ? lookUp(words.results?.get(step), path) : undefined;
    if (typeof value !== 'number' || outcome.includes(String(value)) || said.includes(path[0] ?? ''))
      return [];
    return [`${value} ${nounFor(ref, words)}`];
  });
  return unsaid.length === 0 ? outcome : unsaid.join(', ');
}

/** "OPS-1 is 2 hours over its SLA.", with the verdict added where the facts do not include it. */
export function factsAndWord({ facts, word }: Verdict): [facts: string, word: string] {
  return word === null ? [`${capital(facts)}.`, ''] : [`${capital(facts)}: `, `${word}.`];
}

const flipped: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/** In the words of the agreed limit's manifest; otherwise by the number compared with. */
function verdictWord(
  ast: ASTNode,
  words: Vocabulary,
  { holds, values }: { holds: boolean; values: string },
): string | null {
  const otherwise = `${values} ${holds ? 'holds' : 'does not hold'}`;
  const member = memberWords(ast, words, 'is not among');
  if (member !== null) return holds ? null : member;
  const limit = limitOf(ast, words);
  if (limit !== null) return holds === limit.overWhenHolds ? limit.over : limit.kept;
  const sides = sidesOf(ast);
  if (isStatement(ast, words)) return null;
  if (ast.op === '.' || typeof sides?.[1].args === 'boolean') return values;
  const than = ast.op === '==' ? '' : thanWords[ast.op];
  if (sides === null || than === undefined || sides[1].op !== 'value') return otherwise;
  const [, right] = sides;
  return [holds ? '' : 'not', than, String(right.args)].filter(Boolean).join(' ');
}

interface LimitWords {
  readonly over: string;
  readonly kept: string;
  readonly overWhenHolds: boolean;
}

function sidesOf({ args }: ASTNode): [ASTNode, ASTNode] | null {
  return Array.isArray(args) && args.length === 2 ? (args as [ASTNode, ASTNode]) : null;
}

/**
 * The words of the limit compared with. For alternatives ("a > x or b > y"): only if exceeding any one of the limits
 * exceeds the whole.
 */
function limitOf(ast: ASTNode, words: Vocabulary): LimitWords | null {
  const sides = sidesOf(ast);
  if (sides === null) return null;
  const [left, right] = sides;
  if (ast.op !== '||' && ast.op !== '&&')
    return limitIn(right, ast.op, words) ?? limitIn(left, flipped[ast.op] ?? '', words);
  const [one, other] = [limitOf(left, words), limitOf(right, words)];
  const isSame =
    one?.over === other?.over && one?.kept === other?.kept && one?.overWhenHolds === other?.overWhenHolds;
  return isSame && one?.overWhenHolds === (ast.op === '||') ? one : null;
}

/** The words of a limit that something is compared with by this operator. */
function limitIn(node: ASTNode, operator: string, { scope }: Vocabulary): LimitWords | null {
  const field = fieldOf(node);
  const limit = field === null ? undefined : scope.get(field[0])?.limit;
  if (field === null || limit === undefined || limit.field !== field[1]) return null;
  if (!Object.hasOwn(flipped, operator)) return null;
  return { ...limit, overWhenHolds: operator.startsWith('>') };
}
