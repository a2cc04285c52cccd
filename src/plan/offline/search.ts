import type { Clause } from './clause.ts';
import { clausesOf } from './clauses.ts';
import type { Text } from './frame.ts';
import { isA, isInverted, isMark, isOneOf, isThing, joins, lowAt, means, orders, range } from './heard.ts';

/** Clauses that together cover a request. */
export interface Reading {
  readonly clauses: readonly Clause[];
  readonly score: number;
}

/** Where a clause may end: a cost for ending there, and one for reading on across it. */
interface Boundary {
  readonly at: number;
  readonly split: number;
  readonly across: number;
}

/** Readings kept at every boundary. */
const width = 5;
/** Boundaries that a clause may reach across. */
const reach = 7;
const strong = /^[.;?!]$/u;

function markBoundary(raw: string): { split: number; across: number } | null {
  if (strong.test(raw)) return { split: 0, across: 3 };
  if (/^(?:->|-->|→|=>|⇒|—>|>>)$/u.test(raw)) return { split: 0, across: 0.6 };
  if (/^[:()–—-]$/u.test(raw)) return { split: 0.1, across: 0.1 };
  return raw === ',' ? { split: 0.1, across: 0.3 } : null;
}

function wordBoundary(text: Text, index: number): { split: number; across: number } | null {
  if (isInverted(text, index)) return { split: 0, across: 4 };
  // "at the moment" is no "the moment that …".
  const within = means(text, index - 1, ({ role }, length) => role === 'nothing' && length > 2);
  if (joins(text, index, 'if', 'unless', 'else', 'so') && !within) {
    const soft = isOneOf(text, index, 'soft if');
    return { split: soft ? 0.3 : 0, across: soft ? 0.5 : 4 };
  }
  if (joins(text, index, 'and', 'or'))
    return sameKind(text, index) ? { split: 0.8, across: 0 } : { split: 0.3, across: 0.5 };
  // "don't close it, just comment": what is to be done instead.
  if (isOneOf(text, index, 'only') && orders(text, index + 1)) return { split: 0, across: 2 };
  if (receives(text, index)) return { split: 0.3, across: 0 };
  const negated =
    means(text, index, ({ role }) => role === 'negation') && !joins(text, index - 1, 'else', 'unless');
  if (means(text, index, ({ role }) => role === 'readonly')) return { split: 0.3, across: 0.5 };
  // "a task to write one": what something is for is no order.
  if (orders(text, index) && lowAt(text, index - 1) !== 'to')
    return { split: isMark(text, index - 1) ? 0.9 : 1.5, across: 0 };
  return negated ? { split: 1.2, across: 0 } : null;
}

/** "OPS-1 and OPS-2": what joins two things of one kind hardly ever ends a clause. */
function sameKind(text: Text, index: number): boolean {
  const after = text.entities[index + 1]?.map(({ kind }) => kind) ?? [];
  return text.entities[index - 1]?.some(({ kind }) => kind !== 'unknown' && after.includes(kind)) ?? false;
}

/** "… @ana gets the list": who receives something stands before the verb. */
const receives = (text: Text, index: number): boolean =>
  isA(text, index, 'channel', 'user') && isOneOf(text, index + 1, 'receiving');

function boundariesIn(text: Text): Boundary[] {
  const { tokens, goal } = text;
  const inner = range(1, tokens.length).flatMap((at): Boundary[] => {
    const before = tokens[at - 1];
    if (goal.slice(before?.end, tokens[at]?.start).includes('\n')) return [{ at, split: 0, across: 2 }];
    // "known error? E_42": a thing alone behind a question is what it is about.
    const alone = before?.raw === '?' && at === tokens.length - 1 && isThing(text, at);
    if (alone) return [{ at, split: 0.3, across: 0.1 }];
    const own = (before?.kind === 'mark' ? markBoundary(before.raw) : null) ?? wordBoundary(text, at);
    return own ? [{ at, ...own }] : [];
  });
  return [{ at: 0, split: 0, across: 0 }, ...inner, { at: tokens.length, split: 0, across: 0 }];
}

function insert(kept: Reading[], reading: Reading): void {
  const at = kept.findIndex((other) => other.score < reading.score);
  kept.splice(at < 0 ? kept.length : at, 0, reading);
  if (kept.length > width) kept.length = width;
}

/** The readings of a request, the best first: one search over where its clauses begin and end. */
export function readingsOf(text: Text): Reading[] {
  const boundaries = boundariesIn(text);
  const best: Reading[][] = boundaries.map(() => []);
  (best[0] as Reading[]).push({ clauses: [], score: 0 });
  for (let end = 1; end < boundaries.length; end += 1) {
    const to = boundaries[end] as Boundary;
    let crossed = 0;
    for (let start = end - 1; start >= Math.max(0, end - reach); start -= 1) {
      const from = boundaries[start] as Boundary;
      const before = best[start] as Reading[];
      if (before.length > 0 && crossed < 3)
        for (const clause of clausesOf(text, from.at, to.at))
          for (const { clauses, score } of before.slice(0, 4))
            insert(best[end] as Reading[], {
              clauses: [...clauses, clause],
              score: score + clause.score - crossed - from.split,
            });
      crossed += from.across;
    }
  }
  return best.at(-1) ?? [];
}
