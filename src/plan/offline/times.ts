import { casual } from 'chrono-node/en';
import type { Catalogue } from '../../core/catalogue.ts';
import { durationMs } from '../../core/duration.ts';
import type { Lexicon } from './lexicon.ts';
import type { Thing } from './thing.ts';
import type { Token } from './tokens.ts';

/** What the words are read with. */
export interface Reader {
  readonly catalogue: Catalogue;
  readonly lexicon: Lexicon;
  readonly now: Date;
}

/** A thing of one token where no length is said. */
export type Found = Omit<Thing, 'at' | 'length'> & { readonly length?: number };
/** The words from a place on, with what they are read with. */
export interface Here extends Reader {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly token: Token;
  readonly text: string;
}

/** Minutes of an ISO 8601 duration; 0 for what is none. */
export const minutesOf = (iso: string): number => Math.ceil((durationMs(iso) ?? 0) / 60_000);

function iso(count: number, unit: string): string {
  if (unit === 'W' || unit === 'D') return `P${count * (unit === 'W' ? 7 : 1)}D`;
  const small = unit === 'H' ? 'M' : 'S';
  return Number.isInteger(count) ? `PT${count}${unit}` : `PT${Math.round(count * 60)}${small}`;
}

/** "30m", "2 hours", "45-minute", "an hour"; "the last day" is one day. "500s" is no time but a status. */
export function durationAt(here: Here, number: Found | undefined): Found[] {
  const { tokens, at, token, lexicon } = here;
  const low = (next: number): string => tokens[at + next]?.low ?? '';
  const [, count, glued = ''] = /^(?![1-5]\d\ds$)(\d+(?:\.\d+)?)-?([a-z]+)$/u.exec(token.low) ?? [];
  const article = /^(?:an?|the|one)$/u.test(token.low) ? 1 : 0;
  const said = number ? (number.length ?? 1) : article;
  const after = number && low(said) === 'of' ? said + 1 : said;
  const unit = lexicon.units.get(count === undefined ? low(after) : glued);
  const isUnit =
    count !== undefined || number !== undefined || /^(?:minute|hour|day|week)$/u.test(low(after));
  if (unit === undefined || !isUnit) return [];
  const value = iso(Number(count ?? number?.value ?? 1), unit);
  return [{ kind: 'duration', length: count === undefined ? after + 1 : 1, value }];
}

const dated =
  /\b(?:\d{4}-\d{2}-\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|ago\b|\d{1,2}\/\d{1,2}\/\d)/iu;

/** Dates as chrono reads them, as tokens. Calendar words are not its business here. */
export function datesIn(text: string, tokens: readonly Token[], now: Date): Thing[] {
  if (!dated.test(text)) return [];
  return casual.parse(text, now).flatMap((one): Thing[] => {
    const at = tokens.findIndex(({ start }) => start === one.index);
    if (tokens[at - 1]?.low === 'than' || tokens[at - 1]?.low === 'over') return [];
    if (at < 0 || !(one.start.isCertain('day') || one.start.isCertain('hour'))) return [];
    const end = one.index + one.text.length;
    const length = tokens.filter(({ start }) => start >= one.index && start < end).length;
    const [value = ''] = one.date().toISOString().split('T');
    return [{ kind: 'time', at, length, value, tense: one.date() > now ? 'future' : 'past' }];
  });
}

/** "14:00", "9am", "since 9", and with its day: "3am yesterday". */
export function clockAt(here: Here): Found[] {
  const clock = clockOf(here);
  if (clock === null) return [];
  const [day] = daysAt(here, clock.length);
  return [
    day === undefined
      ? { kind: 'time', length: clock.length, value: clock.value, tense: 'past' }
      : { ...day, length: clock.length + day.length, value: `${day.value} ${clock.value}` },
  ];
}

function clockOf({ tokens, at, lexicon }: Here): { length: number; value: string } | null {
  const [whole, hours, minutes, own] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/u.exec(tokens[at]?.low ?? '') ?? [];
  const after = tokens[at + 1]?.low ?? '';
  const next = /^[ap]m$/u.exec(after)?.[0];
  const half = own ?? next;
  const isBound = isBetween(tokens, at) || tokens[at - 1]?.low === 'since';
  const isHour = isBound && Number(hours) < 24 && !lexicon.units.has(after);
  if (whole === undefined || (minutes === undefined && half === undefined && !isHour)) return null;
  const hour = (Number(hours) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0);
  const value = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
  return { length: own === undefined && next ? 2 : 1, value };
}

/** "between 9 and 10", "from 9 to 10". */
function isBetween(tokens: readonly Token[], at: number): boolean {
  const isHour = (place: number): boolean => /^\d{1,2}$/u.test(tokens[place]?.low ?? '');
  const low = (place: number): string => tokens[place]?.low ?? '';
  const joins = (from: number): boolean =>
    isHour(from) &&
    isHour(from + 2) &&
    ((low(from - 1) === 'between' && low(from + 1) === 'and') ||
      (low(from - 1) === 'from' && low(from + 1) === 'to'));
  return joins(at) || joins(at - 2);
}

type Spelled = Found & { readonly length: number };

/** Phrases some words further on that are a time or a duration whatever stands around them: "yesterday", "half an hour". */
function spelledAt({ tokens, at, lexicon }: Here, ahead: number): Spelled[] {
  return lexicon.phrasesAt(tokens, at + ahead).flatMap(({ length, senses }) =>
    senses.flatMap(({ role, of }): Spelled[] => {
      if (role === 'duration') return [{ kind: 'duration', length, value: of }];
      if (role !== 'time' || of === 'pastTense') return [];
      const words = tokens.slice(at + ahead, at + ahead + length).map(({ low }) => low);
      return [{ kind: 'time', length, value: words.join(' '), tense: of as 'past' }];
    }),
  );
}

const daysAt = (here: Here, ahead: number): Spelled[] =>
  spelledAt(here, ahead).filter(({ value }) => /^(?:(?:last|next) )?(?:today|tomorrow|\w+day)$/u.test(value));

/** The same right here; a clock time behind a day says when on it: "yesterday at 3am". */
export function spelledTimes(here: Here): Found[] {
  return spelledAt(here, 0).map((one) => {
    const skip = here.tokens[here.at + one.length]?.low === 'at' ? 1 : 0;
    const clock = clockOf({ ...here, at: here.at + one.length + skip });
    if (clock === null || !daysAt(here, 0).some(({ value }) => value === one.value)) return one;
    return { ...one, length: one.length + skip + clock.length, value: `${one.value} ${clock.value}` };
  });
}
