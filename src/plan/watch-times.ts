import { momentText, type WatchTimes, type Worse } from '../core/cadence.ts';
import { spanOf } from '../core/calendar/span.ts';
import { is, lowAt, range, type Text } from './offline/text.ts';
import { isTold } from './offline/told.ts';
import { cadenceAt, clockAt, type Part, spanAt } from './watch-cadence.ts';

/** What a request says of when to look again, and the request without it. Its minutes may be no whole number. */
export interface Watched {
  readonly times: WatchTimes;
  /** True for "watch …" without how often. */
  readonly isGuess: boolean;
  /** "tell me when …": it waits for something without saying how often to look. */
  readonly waits: boolean;
  readonly rest: string;
}

/** The first part of a request that can be read so. */
function first<Value>(text: Text, read: (at: number) => Part<Value> | null): Part<Value> | null {
  for (const at of text.words.keys()) {
    const part = isTold(text, at) ? null : read(at);
    if (part !== null) return part;
  }
  return null;
}

/** "watch", "keep an eye on": in front, whatever is polite before it. */
function headOf(text: Text): Part<null> | null {
  const at = text.words.findIndex(({ tags }) => !tags.has('polite'));
  const to = range(at, at + 4).find((index) => is(text, index, 'watching')) ?? -1;
  const isHead = range(at, to).every((index) => is(text, index, 'keeping'));
  const end = to + (to > at && lowAt(text, to + 1) === 'on' ? 2 : 1);
  return to >= at && isHead ? { value: null, from: at, to: end } : null;
}

/** "when", "as soon as": for something that comes about later, as against "if". */
export const waitsFor = (text: Text): boolean =>
  text.words.some((_word, at) => !isTold(text, at) && (is(text, at, 'waiting') || isAsSoonAs(text, at)));

const isAsSoonAs = (text: Text, at: number): boolean =>
  lowAt(text, at) === 'soon' && lowAt(text, at - 1) === 'as' && lowAt(text, at + 1) === 'as';

/** "tell me", "let me know", "ping me": whoever asks hears of it. */
const tellsMe = (text: Text): boolean =>
  text.words.some(
    (_word, at) => is(text, at, 'me') && is(text, at - 1, 'verb message') && !is(text, at - 1, 'verb page'),
  );

/** "at 17:00 post …", "in 30 minutes page …", "tomorrow tell …": something is to be done once, later. */
export function isOnceLater(text: Text): boolean {
  const { words } = text;
  const says = (...tags: readonly string[]): boolean => words.some((_word, at) => is(text, at, ...tags));
  const first = words.findIndex(({ tags }) => !tags.has('polite'));
  // "over 50 in 5 minutes" looks back.
  const isAhead = (at: number): boolean => at === first || (!says('compare') && at > words.length - 4);
  const isThen = (at: number): boolean =>
    (lowAt(text, at) === 'at' && (clockAt(text, at, 'UTC') !== null || is(text, at + 1, 'time'))) ||
    (lowAt(text, at) === 'in' && spanAt(text, at + 1) !== null && isAhead(at)) ||
    (!says('noun person') && words[at]?.things.some(({ tense }) => tense === 'future') === true);
  return says('verb write', 'me') && words.some((_word, at) => !isTold(text, at) && isThen(at));
}

/** "until Friday", "until 6pm", "for 3 days". */
function endAt(text: Text, from: number, now: Date, zone: string): Part<Date> | null {
  const { words } = text;
  const low = lowAt(text, from);
  if (low === 'for') {
    const at = words.findIndex((_word, index) => index > from && !is(text, index, 'for the next'));
    const span = spanAt(text, at);
    if (span === null || span.minutes < 60) return null;
    return { value: new Date(now.getTime() + span.minutes * 60_000), from, to: span.end };
  }
  const isTo = low === 'up' && lowAt(text, from + 1) === 'to';
  if (!isTo && !is(text, from, 'until')) return null;
  const found = momentAt(text, from + (isTo ? 2 : 1), now, zone);
  return found && { ...found, from };
}

/** More words than these say no moment. */
const longest = 6;

/** The moment that the words from a place on begin with, and the token behind it. A day lasts until its last minute. */
function momentAt(
  { words, goal }: Text,
  from: number,
  now: Date,
  zone: string,
): Omit<Part<Date>, 'from'> | null {
  for (let end = Math.min(words.length, from + longest); end > from; end -= 1) {
    const said = goal
      .slice(words[from]?.start, words[end - 1]?.end)
      .replace(/^(?:the\s+)?end of (?:the |this )?/iu, '');
    const named = said.replace(/^week$/iu, 'this week').replace(/^day$/iu, 'today');
    const span = spanOf(named, { now, zone, aim: 'coming' });
    if (span === null) continue;
    const last = span.to > span.from ? span.to.getTime() - 60_000 : span.to.getTime();
    const isPassed = last < now.getTime() && /^\d{1,2}(?::\d{2})?\s*(?:am|pm)?$/iu.test(named);
    return { value: new Date(last + (isPassed ? 86_400_000 : 0)), to: end };
  }
  return null;
}

/** "and again when it is worse by 10 %". */
function worseAt(text: Text, at: number): Part<Worse> | null {
  const [, by, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(lowAt(text, at + 2)) ?? [];
  if (lowAt(text, at) !== 'worse' || by === undefined) return null;
  const isPercent = is(text, at + 3, 'percent');
  const from = text.words.findLastIndex((_word, index) => index < at && !is(text, index, 'once more')) + 1;
  const value: Worse = { by: Number(by), unit: sign || isPercent ? 'percent' : 'number' };
  return { value, from, to: at + (isPercent ? 4 : 3) };
}

/** The request without some of its parts, and without the marks that they leave at its ends. */
function without({ words, goal }: Text, parts: readonly Part<unknown>[]): string {
  const last = parts.toSorted((a, b) => b.from - a.from);
  return last
    .reduce((said, { from, to }) => {
      const [before, behind] = [said.slice(0, words[from]?.start), said.slice(words[to - 1]?.end)];
      return `${before.trimEnd()} ${behind.trimStart()}`;
    }, goal)
    .replace(/\s+(?=[,;.])/g, '')
    .replace(/([,;])(?:\s*[,;])+/g, '$1')
    .replace(/^[\s,;:]+|[\s,;]+$/g, '');
}

/** Null for a request that is done once. `zone`: of times without one. */
export function readWatch(text: Text, now: Date, zone: string): Watched | null {
  const head = headOf(text);
  const every = first(text, (at) => cadenceAt(text, at, zone));
  const waits = head === null && every === null && waitsFor(text) && tellsMe(text);
  if (head === null && every === null && !waits) return null;
  const end = first(text, (at) => endAt(text, at, now, zone));
  const worse = first(text, (at) => worseAt(text, at));
  const times: WatchTimes = {
    every: every?.value ?? { minutes: 10 },
    ...(end === null ? {} : { until: momentText(end.value) }),
    ...(worse === null ? {} : { worse: worse.value }),
  };
  const parts = [head, every, end, worse].filter((part) => part !== null);
  return { times, isGuess: every === null, waits, rest: without(text, parts) };
}
