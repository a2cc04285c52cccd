import type { ASTNode } from '@marcbachmann/cel-js';
import { fieldOf } from '../core/cel.ts';
import { ConditionError, compileCondition } from '../core/condition.ts';
import { lookUp, type Results, resultsById } from '../core/refs.ts';
import type { StepResult } from '../core/run.ts';
import type { Vocabulary } from '../core/step-words.ts';

/** The number that a condition watches, and the direction in which it gets worse. */
export interface Measured {
  readonly value: number;
  /** 1: higher is worse; -1: lower is worse. */
  readonly worse: 1 | -1;
}

const up = new Set(['>', '>=']);
const down = new Set(['<', '<=']);

/**
 * The number a condition compares, from the results: the first comparison with a number on one side; of two numbers the
 * counted one, not the agreed limit. Null if there is none. `isKept`: the condition states how things should be.
 */
export function measureOf(
  when: string,
  words: Vocabulary,
  results: readonly StepResult[],
  { isKept = false } = {},
): Measured | null {
  try {
    const known = resultsById(results);
    const read = (node: ASTNode) => numberOf(node, known);
    const found = comparisons(compileCondition(when, words.scope).ast).flatMap((node) => {
      const [left, right] = node.args as [ASTNode, ASTNode];
      const isLeft = read(left) !== null && (counts(left, words) || !counts(right, words));
      const value = read(isLeft ? left : right);
      if (value === null) return [];
      const isMore = up.has(node.op) === isLeft;
      return [{ value, worse: isMore === isKept ? -1 : 1 } as const];
    });
    return found[0] ?? null;
  } catch (error) {
    if (error instanceof ConditionError) return null;
    throw error;
  }
}

function comparisons(node: ASTNode): ASTNode[] {
  if (node.op === '&&' || node.op === '||') return node.args.flatMap(comparisons);
  return up.has(node.op) || down.has(node.op) ? [node] : [];
}

/** True for a result that counts something, such as open tickets. */
function counts(node: ASTNode, { scope }: Vocabulary): boolean {
  const field = fieldOf(node);
  return field !== null && scope.get(field[0])?.measures === true;
}

function numberOf(node: ASTNode, known: Results): number | null {
  const field = fieldOf(node);
  const value = field === null ? null : lookUp(known.get(field[0]), [field[1]]);
  return typeof value === 'number' ? value : null;
}
