import { type Clause, clausesOf, isInverted, isMarker } from './clauses.ts';
import type { Text } from './frames.ts';

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
  if (/^[:()–—]$/u.test(raw)) return { split: 0.1, across: 0.1 };
  return raw === ',' ? { split: 0.1, across: 0.3 } : null;
}

function wordBoundary(text: Text, index: number): { split: number; across: number } | null {
  const senses = text.phrases[index]?.flatMap((phrase) => phrase.senses) ?? [];
  if (isInverted(text, index)) return { split: 0, across: 4 };
  const condition = senses.filter(({ role }) => role === 'condition').map(({ of }) => of);
  if (condition.some((of) => ['if', 'unless', 'else', 'so'].includes(of))) {
    const soft = /^(?:only|once|suppose)$/u.test(text.tokens[index]?.low ?? '');
    return { split: soft ? 0.3 : 0, across: soft ? 0.5 : 4 };
  }
  if (condition.some((of) => ['then', 'but', 'means', 'before', 'so_that'].includes(of)))
    return { split: 0.2, across: 0.6 };
  if (condition.some((of) => ['and', 'or'].includes(of)))
    return sameKind(text, index) ? { split: 0.8, across: 0 } : { split: 0.3, across: 0.5 };
  const write = senses.some(
    ({ role, of }) => role === 'verb' && text.lexicon.tools.get(of)?.effect === 'write',
  );
  if (receives(text, index)) return { split: 0.3, across: 0 };
  const negated = senses.some(({ role }) => role === 'negation');
  if (negated && orders(text, index + 1)) return { split: 0.2, across: 2 };
  if (senses.some(({ role }) => role === 'readonly')) return { split: 0.3, across: 0.5 };
  return write || negated ? { split: write ? 0.9 : 1.2, across: 0 } : null;
}

/** "OPS-1 and OPS-2": what joins two things of one kind hardly ever ends a clause. */
function sameKind(text: Text, index: number): boolean {
  const kinds = (at: number): string[] =>
    text.entities[at]?.map(({ kind }) => kind).filter((kind) => kind !== 'unknown') ?? [];
  return kinds(index - 1).some((kind) => kinds(index + 1).includes(kind as never));
}

/** "… @ana gets the list": who receives something stands before the verb. */
function receives(text: Text, index: number): boolean {
  return (
    isReceiver(text, index) &&
    /^(?:gets?|should|needs?|wants?|must|has|hears?|receives?|would|ought|is)$/u.test(
      text.tokens[index + 1]?.low ?? '',
    )
  );
}

const isReceiver = (text: Text, index: number): boolean =>
  text.entities[index]?.some(({ kind }) => kind === 'channel' || kind === 'user') ?? false;

/** "don't page", "no posts": what follows is ruled out. */
function orders(text: Text, from: number): boolean {
  return [from, from + 1].some((index) =>
    text.phrases[index]?.some(({ senses }) =>
      senses.some(
        ({ role, of }) =>
          (role === 'verb' || role === 'also') && /^(?:pagerduty\.page|slack\.post)$/u.test(of),
      ),
    ),
  );
}

function boundariesIn(text: Text): Boundary[] {
  const { tokens } = text;
  const found: Boundary[] = [{ at: 0, split: 0, across: 0 }];
  for (let index = 1; index < tokens.length; index += 1) {
    const before = tokens[index - 1];
    const newline = /\n/u.test(text.goal.slice(before?.end, tokens[index]?.start));
    const marked = before?.kind === 'mark' ? markBoundary(before.raw) : null;
    const own = newline ? { split: 0, across: 2 } : (marked ?? wordBoundary(text, index));
    // Behind "otherwise" or "if so" the order begins.
    const ended = own ?? afterMarker(text, index);
    if (ended) found.push({ at: index, ...ended });
  }
  return [...found, { at: tokens.length, split: 0, across: 0 }];
}

function afterMarker(text: Text, index: number): { split: number; across: number } | null {
  for (let from = Math.max(0, index - 5); from < index; from += 1)
    for (const { length, senses } of text.phrases[from] ?? [])
      if (
        from + length === index &&
        isMarker(text, from, { length, senses }) &&
        senses.some(({ role, of }) => role === 'condition' && (of === 'else' || of === 'so'))
      )
        return { split: 0, across: 0 };
  return null;
}

/** A quotation or a message holds no boundary that costs anything; an order inside a text is none. */
function insert(kept: Reading[], reading: Reading): void {
  const at = kept.findIndex((other) => other.score < reading.score);
  if (at < 0) kept.push(reading);
  else kept.splice(at, 0, reading);
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
