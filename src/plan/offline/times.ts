import { casual } from 'chrono-node/en';
import type { Entity, Reader } from './entity.ts';
import type { Token } from './tokens.ts';

const dated =
  /\b(?:\d{4}-\d{2}-\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|ago\b|\d{1,2}\/\d{1,2}\/\d)/iu;

/** Dates as chrono reads them, by the place where they begin. Calendar words are not its business here. */
export function datesIn(text: string, now: Date): Map<number, { readonly end: number; readonly date: Date }> {
  if (!dated.test(text)) return new Map();
  const found = casual
    .parse(text, now)
    .filter((one) => one.start.isCertain('day') || one.start.isCertain('hour'));
  return new Map(found.map((one) => [one.index, { end: one.index + one.text.length, date: one.date() }]));
}

function clockAt(tokens: readonly Token[], index: number): Entity | null {
  const token = tokens[index] as Token;
  const [whole, hours, minutes, own] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/u.exec(token.low) ?? [];
  const next = /^[ap]m$/u.exec(tokens[index + 1]?.low ?? '')?.[0];
  const half = own ?? next;
  if (whole === undefined || (minutes === undefined && half === undefined)) return null;
  const hour = (Number(hours) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0);
  const value = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
  return { kind: 'time', length: own === undefined && next ? 2 : 1, value, tense: 'past' };
}

export function timesAt(
  tokens: readonly Token[],
  index: number,
  { lexicon, now }: Reader,
  dates: ReturnType<typeof datesIn>,
): Entity[] {
  const token = tokens[index] as Token;
  const date = dates.get(token.start);
  const found: Entity[] = [];
  if (date) {
    const length = tokens.filter(({ start }) => start >= token.start && start < date.end).length;
    const value = date.date.toISOString().slice(0, 10);
    found.push({ kind: 'time', length, value, tense: date.date > now ? 'future' : 'past' });
  }
  const clock = clockAt(tokens, index);
  if (clock) found.push(clock);
  for (const { length, senses } of lexicon.phrasesAt(tokens, index)) {
    for (const { role, of } of senses) {
      if (role !== 'time' || of === 'pastTense') continue;
      const value = tokens
        .slice(index, index + length)
        .map(({ low }) => low)
        .join(' ');
      found.push({ kind: 'time', length, value, tense: of as 'past' | 'present' | 'future' });
    }
  }
  return found;
}
