import type { Condition } from './draft.ts';
import type { Text } from './frame.ts';
import { lowAt, means, range } from './heard.ts';

/** What a request rules out, and whether it orders the same. */

export const sameCondition = (a: Condition | null, b: Condition | null): boolean =>
  a !== null &&
  b !== null &&
  a.parts.length === b.parts.length &&
  a.parts.every(({ left, op, right }, at) => {
    const other = b.parts[at];
    return op === other?.op && right === other.right && left.length === other.left.length;
  });

/** "page ops … without paging anyone": the same act is ordered and ruled out. */
export function isRuledOut(text: Text, tool: string): boolean {
  const acts = (index: number): boolean =>
    means(text, index, ({ role, of }) => of === tool && (role === 'verb' || role === 'also'));
  return text.tokens.some((_token, at) => {
    if (!means(text, at, ({ role }) => role === 'negation')) return false;
    const stop = text.tokens.findIndex(({ kind }, index) => index > at && kind !== 'word');
    return range(at + 1, Math.min(at + 7, stop < 0 ? text.tokens.length : stop)).some(
      (index) => lowAt(text, index) !== '' && acts(index),
    );
  });
}
