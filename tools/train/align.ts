import { clockOf, timeOf } from '../../src/plan/everyday/forms.ts';
import type { Heard } from '../../src/plan/everyday/heard.ts';
import type { Slot } from '../../src/plan/everyday/slots.ts';
import type { Token } from '../../src/plan/everyday/tokens.ts';

/** Finds the values of a case in the words of its request. */

export const norm = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[“”„]/gu, '"')
    .replaceAll(/[’‘]/gu, "'")
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Minutes of an ISO 8601 duration; null for other words. */
export function minutesOf(value: unknown): number | null {
  const found = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/iu.exec(
    String(value),
  );
  if (found === null) return null;
  const [, weeks, days, hours, minutes, seconds] = found.map((part) => Number(part ?? 0));
  return (
    (weeks ?? 0) * 10_080 + (days ?? 0) * 1_440 + (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60
  );
}

const bare = (value: unknown): string => norm(value).replace(/^[@#]/u, '');

export function isSame(slot: Slot, found: string | number | undefined, wanted: unknown): boolean {
  if (found === undefined) return false;
  if (slot === 'duration') return minutesOf(found) === minutesOf(wanted);
  if (slot === 'time') return norm(found) === timeIn(norm(wanted)) || norm(found) === norm(wanted);
  return bare(found) === bare(wanted);
}

const timeIn = (words: string): string =>
  /^\d{1,2}(?:[:.h]\d\d)? ?(?:[ap]\.?m\.?|h)?$/u.test(words) ? clockOf(words) : timeOf(words);

/** First and last token of words that appear in the request as a whole; null if they do not. */
export function spanOf({ text, tokens }: Heard, words: string): [number, number] | null {
  const wanted = norm(words).replace(/^["']|["'.!]$/gu, '');
  if (wanted === '') return null;
  for (const [at, { kind, values }] of tokens.entries()) {
    const isQuoted = kind === 'quotation' || kind === 'quoted word';
    if (isQuoted && norm(values.text).replace(/[.!]$/u, '') === wanted) return [at, at];
    if (kind === 'old' && values.text !== undefined && norm(values.text) === wanted) return [at, at];
  }
  const low = text.toLowerCase().replaceAll(/[“”„]/gu, '"').replaceAll(/[’‘]/gu, "'").replaceAll(/\s/gu, ' ');
  const pieces = norm(words).replace(/^["']|["']$/gu, '');
  for (const said of new Set([pieces, wanted]))
    for (let from = low.indexOf(said); from >= 0; from = low.indexOf(said, from + 1)) {
      const first = tokens.findIndex(
        ({ start, kind }) => start === from && kind !== 'old' && kind !== 'section',
      );
      const to = from + said.length;
      const last = tokens.findLastIndex(
        ({ end, start, kind }) =>
          kind !== 'old' &&
          kind !== 'section' &&
          start >= from &&
          (end === to || (end < to && /^[.!?'’]?s?$/u.test(low.slice(end, to)))),
      );
      if (first >= 0 && last >= first) return [first, last];
    }
  return null;
}

/** Extends a partial quotation to the ends of its clause. */
export function widened(tokens: readonly Token[], from: number, to: number): [number, number] {
  let [first, last] = [from, to];
  const stops = (token: Token | undefined): boolean =>
    token === undefined ||
    (token.kind === 'mark' && /^[,;:.?!()—–-]$/u.test(token.raw)) ||
    ['issue', 'channel', 'person', 'quotation', 'section'].includes(token.kind);
  while (
    first > 0 &&
    !stops(tokens[first - 1]) &&
    !/^(?:that|about|saying|because|if|with|and|then|says|dass|que|qui)$/u.test(tokens[first - 1]?.low ?? '')
  )
    first -= 1;
  while (
    last < tokens.length - 1 &&
    !stops(tokens[last + 1]) &&
    !/^(?:and|then|if|when|unless|in|to|on)$/u.test(tokens[last + 1]?.low ?? '')
  )
    last += 1;
  return [first, last];
}
