import { casual } from 'chrono-node/en';
import { calendarWords, type Here as Seen, type Span, spanOf } from '../../../core/calendar/span.ts';
import type { Catalogue } from '../../../core/catalogue.ts';
import { durationMs } from '../../../core/duration.ts';
import type { Lexicon } from './lexicon.ts';
import type { Thing } from './thing.ts';
import type { Token } from './tokens.ts';

type Said = Pick<Thing, 'length' | 'value'>;

/** What the words are read with. */
export interface Reader {
  readonly catalogue: Catalogue;
  readonly lexicon: Lexicon;
  readonly now: Date;
}

/** A thing of one token where no length is said. */
export type Found = Omit<Thing, 'at' | 'length'> & { readonly length?: number };
/** The words from a place on, with what they are read with, and the dates among them. */
export interface Here extends Reader {
  readonly dates: readonly Thing[];
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
  // "last hr": short for an hour only where nothing else can be meant.
  const isShort = /^(?:last|past)$/u.test(low(-1)) && /^(?:min|hr)$/u.test(low(after));
  const isUnit =
    count !== undefined || number !== undefined || isShort || /^(?:minute|hour|day|week)$/u.test(low(after));
  if (unit === undefined || !isUnit) return [];
  const value = iso(Number(count ?? number?.value ?? 1), unit);
  return [{ kind: 'duration', length: count === undefined ? after + 1 : 1, value }];
}

const dated =
  /\b(?:\d{4}-\d{2}-\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|ago\b|\d{1,2}\/\d{1,2}\/\d)/iu;

/** Dates as chrono reads them, as tokens. Calendar words are not its business here. */
export function datesIn(text: string, tokens: readonly Token[], reader: Reader): Thing[] {
  if (!dated.test(text)) return [];
  return casual.parse(text, reader.now).flatMap((one): Thing[] => {
    const at = tokens.findIndex(({ start }) => start === one.index);
    if (tokens[at - 1]?.low === 'than' || tokens[at - 1]?.low === 'over') return [];
    if (at < 0 || !(one.start.isCertain('day') || one.start.isCertain('hour'))) return [];
    const end = one.index + one.text.length;
    const length = tokens.filter(({ start }) => start >= one.index && start < end).length;
    const [value = ''] = one.date().toISOString().split('T');
    return [{ ...timeOf(reader, value), at, length }];
  });
}

/** "14:00", "9am", "since 9", and with its day: "3am yesterday", "at 9 this morning". */
export function clockAt(here: Here): Found[] {
  const clock = clockOf(here, here.at, here.tokens[here.at - 1]?.low === 'at');
  if (clock === null) return [];
  const day = dayAt(here, here.at + clock.length);
  const value = day && `${day.value} ${clock.value}`;
  if (value && spanHere(here, value)) return [{ ...timeOf(here, value), length: clock.length + day.length }];
  return clockOf(here, here.at) ? [{ ...clock, kind: 'time', tense: 'past' }] : [];
}

/** `isBound`: a number alone is an hour here; `half`: of a time without one. */
function clockOf({ tokens, lexicon }: Here, at: number, isBound = false, half?: string): Said | null {
  const [whole, hours, minutes, own] = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/u.exec(tokens[at]?.low ?? '') ?? [];
  const after = tokens[at + 1]?.low ?? '';
  const next = /^[ap]m$/u.exec(after)?.[0];
  const said = own ?? next ?? half;
  const isAlone = (isBound || tokens[at - 1]?.low === 'since') && !lexicon.units.has(after);
  if (whole === undefined || (minutes === undefined && said === undefined && !isAlone)) return null;
  if (Number(hours) > 23 || Number(minutes ?? 0) > 59) return null;
  const hour = (Number(hours) % (said ? 12 : 24)) + (said === 'pm' ? 12 : 0);
  const value = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
  return { length: own === undefined && next ? 2 : 1, value };
}

/** They mean something else as well, or nothing by themselves. */
const unsure =
  /^(?:the )?(?:\d+(?:st|nd|rd|th)|may|march|mar|sat|sun|dec|week|month|quarter|year|morning|afternoon|evening|night|new)$/u;
const dateWords = new Set(calendarWords);
const longest = 5;

const spanHere = ({ now, catalogue }: Reader, words: string, aim: Seen['aim'] = 'past'): Span | null =>
  spanOf(words, { now, zone: catalogue.defaults.timezone ?? 'UTC', aim });

/** A time as the calendar reads it: whether it is to come, and whether it is a day, week or month that is over. */
function timeOf(reader: Reader, value: string): Found {
  const span = spanHere(reader, value);
  const tense = span !== null && span.from > reader.now ? 'future' : 'past';
  const isOver = span !== null && span.from < span.to && span.to <= reader.now;
  return { kind: 'time', value, tense, ...(isOver ? { whole: true } : {}) };
}

/** The longest words from a place on that the calendar knows: "yesterday", "last friday night", "week of dec 7". */
function wordsAt(here: Here, at: number): Said | null {
  const { tokens, dates, lexicon } = here;
  const low = (index: number): string => tokens[index]?.low ?? '';
  const parts: Said[] = [];
  // "of the last": words that are only said of a time are none.
  let isNamed = false;
  for (let next = at; next < Math.min(tokens.length, at + longest); ) {
    const date = dates.find((one) => one.at === next);
    const isWord = dateWords.has(low(next)) || /^\d{1,2}(?:st|nd|rd|th)$/u.test(low(next));
    if (!date && !isWord && !lexicon.isIn(low(next), 'of a time')) break;
    isNamed ||= date !== undefined || isWord;
    const length = date?.length ?? 1;
    // "thursday two weeks ago": the week of that day, and no date.
    const isAgo = low(next + length - 1) === 'ago' && /^weeks?$/u.test(low(next + length - 2));
    const count = lexicon.words.numbers[low(next)] ?? low(next);
    parts.push({ length, value: isAgo ? `${count} weeks ago` : (date?.value ?? low(next)) });
    next += length;
  }
  for (; isNamed && parts.length > 0; parts.pop()) {
    const value = parts.map((one) => one.value).join(' ');
    const isSure =
      !unsure.test(value) ||
      (lexicon.isIn(low(at - 1), 'before a month') && !/(?:week|month|quarter|year|new)$/u.test(value));
    if (isSure && low(at) !== 'of' && spanHere(here, value) !== null)
      return { length: parts.reduce((sum, one) => sum + one.length, 0), value };
  }
  return null;
}

/** The same where it is one day or a part of one, in which a clock time may be. */
function dayAt(here: Here, at: number): Said | null {
  const skip = here.tokens[at]?.low === 'on' ? 1 : 0;
  const said = wordsAt(here, at + skip);
  return said !== null && isDay.test(said.value) ? { ...said, length: said.length + skip } : null;
}

const isDay = /(?:day|tomorrow|tonight|morning|afternoon|evening|night|\d(?:st|nd|rd|th)|-\d\d)$/u;

/** Calendar words; clock times behind a day say when on it: "yesterday at 3am", "friday between 9 and 11". */
export function calendarAt(here: Here): Found[] {
  const { at, tokens } = here;
  const words = wordsAt(here, at);
  const said = rangeAt(here, at) ?? words;
  if (said === null) return [];
  const next = at + said.length;
  const day = words && isDay.test(words.value) ? words : null;
  const hours = day && rangeAt(here, next, `${day.value} `);
  if (hours) return [{ ...timeOf(here, hours.value), length: said.length + hours.length }];
  const skip = /^(?:at|around|about)$/u.test(tokens[next]?.low ?? '') ? 1 : 0;
  const clock = day && clockOf(here, next + skip, skip > 0);
  const value = clock && `${said.value} ${clock.value}`;
  if (!value || !spanHere(here, value)) return [{ ...timeOf(here, said.value), length: said.length }];
  return [{ ...timeOf(here, value), length: said.length + skip + clock.length }];
}

/** "between monday and wednesday", "from 9 to 11", "10:30-11:00": both with their ends. `day`: the one of the hours. */
function rangeAt(here: Here, at: number, day = ''): Said | null {
  const { tokens } = here;
  const low = (index: number): string => tokens[index]?.low ?? '';
  const start = /^(?:between|from)$/u.test(low(at)) ? at + 1 : at;
  const one = wordsAt(here, start) ?? clockOf(here, start, start > at);
  const join = start + (one?.length ?? 0);
  if (one === null || !/^(?:and|to|until|till|through|-|–)$/u.test(low(join))) return null;
  const words = /^\d/u.test(one.value) && !/^\d{4}/u.test(one.value) ? null : wordsAt(here, join + 1);
  const other = words ?? clockOf(here, join + 1, start > at);
  if (other === null || (start === at && low(join) === 'and')) return null;
  const end = join + 1 + other.length;
  if (!words && !day && !endsHours(here, end, low(join + 1))) return null;
  const half = /[ap]m$/u.exec(low(end - 1))?.[0];
  const from = words ? one.value : (clockOf(here, start, true, half)?.value ?? one.value);
  const later = words || day ? null : dayAt(here, end);
  const of = later ? `${later.value} ` : day;
  const value = words ? `${from} to ${other.value}` : `${of}${from} to ${of}${other.value}`;
  const span = spanHere(here, value);
  return span && span.from < span.to ? { length: end + (later?.length ?? 0) - at, value } : null;
}

/** "between 9 and 11", but not "between 3 and 8 open P1s". */
function endsHours({ tokens, lexicon }: Here, end: number, last: string): boolean {
  const next = tokens[end];
  const isPlain = /^\d+$/u.test(last) && !/m$/u.test(tokens[end - 1]?.low ?? '');
  return !isPlain || next?.kind !== 'word' || lexicon.isIn(next.low, 'behind hours');
}

/** Phrases that are a duration or the present whatever stands around them: "half an hour", "right now". */
export function spelledTimes({ tokens, at, lexicon }: Here): Found[] {
  return lexicon.phrasesAt(tokens, at).flatMap(({ length, senses }) =>
    senses.flatMap(({ role, of }): Found[] => {
      if (role === 'duration') return [{ kind: 'duration', length, value: of }];
      if (role !== 'time' || of !== 'present') return [];
      const words = tokens.slice(at, at + length).map(({ low }) => low);
      return [{ kind: 'time', length, value: words.join(' '), tense: of }];
    }),
  );
}

/** What a time means in the past tense to a tool that looks ahead as well: "on saturday" is the last one. */
export function lookedBack(reader: Reader, value: string): string {
  const isAhead = (words: string): boolean =>
    (spanHere(reader, words, 'coming')?.from ?? reader.now) > reader.now;
  if (!isAhead(value)) return value;
  const before = [`last ${value}`, `yesterday ${value}`].find(
    (one) => spanHere(reader, one, 'coming') && !isAhead(one),
  );
  return before ?? value;
}
