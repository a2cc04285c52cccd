import type { Operator } from '../draft/draft.ts';
import { lineOf, type Token, tokenAt } from './token.ts';

/** What a condition asks of a number, an age or a count, before it is known of what. */
export interface Asked {
  readonly bounds: readonly { readonly op: Operator; readonly value: number }[];
  /** `count`: of things; `age`: minutes since the first was created; `left`: minutes left. */
  readonly of: 'count' | 'age' | 'left';
  /** The tokens without the comparison: what is compared. */
  readonly rest: readonly Token[];
}

const before: readonly (readonly [RegExp, Operator])[] = [
  [/(?:more-than|over|above|past|breached|exceeds|higher)(?: than| a| the| like| please)* §num(\d+)/, '>'],
  [/(?:at-least|from)(?: than| a| like| please)* §num(\d+)/, '>='],
  [/(?:less-than|under|below|at-most below)(?: than| a| like| please)* §num(\d+)/, '<'],
  [/at-most(?: than| a)* §num(\d+)/, '<='],
  [/(?:exactly|is at|is exactly) §num(\d+)/, '=='],
];

const after: readonly (readonly [RegExp, Operator])[] = [
  [/§num(\d+) (?:(?:§prio\d+|(?!and |or |in |of |if )[a-z-]+) ){0,3}or-more/, '>='],
  [/§num(\d+) \+/, '>='],
  [/§num(\d+) (?:(?:§prio\d+|ticket|open) )*or-less/, '<='],
  [/§num(\d+) (?:(?:§prio\d+|ticket|open) )*at-most(?! §num)/, '<='],
];

interface Found {
  bounds: Asked['bounds'];
  /** Places of the tokens that the comparison takes up. */
  used: Set<number>;
}

function spanOf(line: string, match: RegExpMatchArray): Set<number> {
  const first = line.slice(0, match.index).split(' ').filter(Boolean).length;
  return new Set(match[0].split(' ').map((_, offset) => first + offset));
}

/** Token words may hold spaces ("how many"), so places are counted on a line in which they do not. */
function countable(tokens: readonly Token[]): string {
  return lineOf(
    tokens.map((token) =>
      token.kind === 'word' ? { ...token, word: token.word.replaceAll(' ', '_') } : token,
    ),
  );
}

function numberAt(tokens: readonly Token[], digits: string | undefined): number {
  return Number(tokenAt(tokens, `§num${digits}`)?.word ?? 0);
}

function compare(tokens: readonly Token[], line: string): Found | null {
  const range = line.match(
    /(?:between|from) §num(\d+) (?:and|to|-|–|,|at-most|\.\.) §num(\d+)|(?<!(?:more-than|over|above|at-least|exceeds) )§num(\d+) (?:to|-|–|at-most|\.\.) §num(\d+)/,
  );
  if (range) {
    const low = numberAt(tokens, range[1] ?? range[3]);
    const high = numberAt(tokens, range[2] ?? range[4]);
    return {
      bounds: [
        { op: '>=', value: Math.min(low, high) },
        { op: '<=', value: Math.max(low, high) },
      ],
      used: spanOf(line, range),
    };
  }
  const found: Found = { bounds: [], used: new Set() };
  for (const [pattern, op] of [...after, ...before]) {
    const match = line.match(pattern);
    if (!match || [...spanOf(line, match)].some((place) => found.used.has(place))) continue;
    found.bounds = [...found.bounds, { op, value: numberAt(tokens, match[1]) }];
    for (const place of spanOf(line, match))
      if (tokens[place]?.kind !== 'priority' && !/^(ticket|open)$/.test(tokens[place]?.word ?? ''))
        found.used.add(place);
  }
  if (found.bounds.length > 0) return found;
  // "has 0 open P1": a bare number is meant exactly.
  const bare = line.match(
    /(?:^|\b(?:has|have|is|are|there|at|show|result|together|count|if|find|get|list|gives|returns|yields|finds|reports) )(?:exactly )?§num(\d+)(?! (?:oldest|newest|updated|num|§))/,
  );
  if (!bare) return null;
  // "the origin returns 503": a status of HTTP.
  if (
    /^(?:returns|gives|yields|reports)\b/.test(bare[0]) &&
    /^[45]\d\d$/.test(String(numberAt(tokens, bare[1])))
  )
    return null;
  return { bounds: [{ op: '==', value: numberAt(tokens, bare[1]) }], used: spanOf(line, bare) };
}

const durationOps: readonly (readonly [RegExp, Operator, Asked['of']])[] = [
  [
    /(?:older-than|more-than|over|at-least|longer than|above|^last|breached)(?: than)? §dur(\d+)(?: old)?/,
    '>',
    'age',
  ],
  [/(?:younger-than|less-than|at-most)(?: than)? §dur(\d+)(?: old| ago)?/, '<', 'age'],
];

export function durationIn(
  tokens: readonly Token[],
): { op: Operator; of: 'age' | 'left'; duration: string; used: Set<number> } | null {
  const line = countable(tokens);
  if (/\bat-risk\b/.test(line)) return null;
  for (const [pattern, op] of durationOps) {
    const match = line.match(pattern);
    if (!match) continue;
    const left = /time-left|left|remaining|sla/.test(line);
    const duration = tokenAt(tokens, `§dur${match[1]}`)?.word ?? 'PT0S';
    return {
      op: /at-least/.test(match[0]) ? '>=' : op,
      of: left ? 'left' : 'age',
      duration,
      used: spanOf(line, match),
    };
  }
  return null;
}

/** Finds the comparison in a condition, or null when it has none with a number. */
export function comparisonIn(tokens: readonly Token[]): Asked | null {
  const line = countable(tokens);
  const found = compare(tokens, line);
  if (!found) return null;
  return { bounds: found.bounds, of: 'count', rest: tokens.filter((_, index) => !found.used.has(index)) };
}

/** "it's number 73310", "three things": a number that names or announces, and compares nothing. */
export function isNumbering(tokens: readonly Token[]): boolean {
  const bounds = comparisonIn(tokens)?.bounds ?? [];
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  const names = /\b(?:number|things?|stuff|actions|steps|points|orders|requests)\b/.test(raw);
  const plain = bounds.length > 0 && bounds.every((bound) => bound.op === '==') && !/\bexactly\b/.test(raw);
  return plain && (names || bounds.some((bound) => bound.value >= 10_000));
}

export function hasComparison(tokens: readonly Token[]): boolean {
  return (comparisonIn(tokens) !== null && !isNumbering(tokens)) || durationIn(tokens) !== null;
}
