import type { Condition, DraftStep } from './draft.ts';
import type { Text } from './frame.ts';
import { isOneOf, means, range } from './heard.ts';

/** What a request rules out, and whether it orders the same. */

/** Whether two conditions compare in the same way; which steps they look at does not matter. */
export function sameCondition(a: Condition | null, b: Condition | null): boolean {
  const facts = (one: Condition | null): unknown => one?.parts.map(({ op, right }) => [op, right]);
  return a !== null && JSON.stringify(facts(a)) === JSON.stringify(facts(b));
}

/** "page ops … without paging anyone": the same act is ordered and ruled out. */
export function isRuledOut(text: Text, { tool, when }: DraftStep): boolean {
  const acts = (index: number): boolean =>
    means(text, index, ({ role, of }) => of === tool.name && (role === 'verb' || role === 'also'));
  if (tool.effect === 'read' || when !== null) return false;
  return text.tokens.some((_token, at) => {
    if (!means(text, at, ({ role }) => role === 'negation')) return false;
    const stop = text.tokens.findIndex(
      ({ kind }, index) => index > at && (kind !== 'word' || isOneOf(text, index, 'only')),
    );
    return range(at + 1, Math.min(at + 7, stop < 0 ? text.tokens.length : stop)).some(acts);
  });
}
