import type { Lasting } from '../frames/tests.ts';
import type { Compare, Condition, DraftStep, Operator } from './draft.ts';

/** One comparison for each look-up; null where one of them has nothing that could be compared. */
export function each(
  steps: readonly DraftStep[],
  any: boolean,
  part: (step: DraftStep) => Compare | null,
): Condition | null {
  const parts = steps.flatMap((step) => part(step) ?? []);
  return parts.length === 0 || parts.length < steps.length ? null : { any, parts };
}

/** A comparison of what a manifest says that its tool is compared by; null where that is nothing. */
export function compare(
  step: DraftStep,
  by: 'number' | 'any' | Lasting | 'state' | 'priority' | 'assigned' | 'done',
  op: Operator,
  right: Compare['right'],
): Compare | null {
  const field = step.tool.asked?.compares?.[by];
  return field === undefined ? null : { left: [{ step, field }], op, right };
}

/** The same comparisons with another operator. */
export const withOp = (condition: Condition, op: Operator): Condition => ({
  ...condition,
  parts: condition.parts.map((part) => ({ ...part, op })),
});
