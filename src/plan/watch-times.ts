import { casual } from 'chrono-node/en';
import { type Cadence, momentText, type WatchTimes, type Worse } from '../core/cadence.ts';
import { durationMs } from '../core/duration.ts';
import { is, lowAt, range, type Text } from './offline/text.ts';
import { isTold } from './offline/told.ts';

/** What a request says of when to look again, and the request without it. Its minutes may be no whole number. */
export interface Watched {
  readonly times: WatchTimes;
  /** True for "watch …" without how often. */
  readonly isGuess: boolean;
  readonly rest: string;
}

/** What some words of a request say: those from one token up to another. */
interface Part<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
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

/** Minutes of a duration at a place, with the token behind it. */
function spanAt({ words }: Text, at: number): { minutes: number; end: number } | null {
  const thing = words[at]?.things.find(({ kind }) => kind === 'duration');
  const ms = thing && durationMs(thing.value);
  return thing && ms ? { minutes: ms / 60_000, end: at + thing.length } : null;
}

const unitMinutes: Readonly<Record<string, number>> = { S: 1 / 60, M: 1, H: 60, W: 10_080 };

/** "hourly", "every 10 minutes", "every other hour", "each weekday at 9". */
function cadenceAt(text: Text, from: number, timezone: string): Part<Cadence> | null {
  const low = lowAt(text, from);
  if (low === 'hourly') return { value: { minutes: 60 }, from, to: from + 1 };
  const isOnce = low === 'once' && is(text, from + 1, 'articles', 'each time');
  const at = is(text, from, 'each time') ? from + 1 : isOnce ? from + 2 : null;
  if (low === 'daily') return daysAt(text, from, from, timezone);
  if (at === null) return null;
  const span = spanAt(text, at);
  if (span !== null) return { value: { minutes: span.minutes }, from, to: span.end };
  const times = lowAt(text, at) === 'other' ? 2 : 1;
  const unit = unitMinutes[text.lexicon.units.get(lowAt(text, at + times - 1)) ?? ''];
  if (unit !== undefined) return { value: { minutes: unit * times }, from, to: at + times };
  return daysAt(text, from, at, timezone);
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const clock = /^at\s+(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|h)?\b/i;

/** "morning", "monday and thursday", each at a time of the clock or at the usual one. */
function daysAt(text: Text, from: number, at: number, timezone: string): Part<Cadence> | null {
  const { hours } = text.lexicon.words;
  const nameAt = (index: number): string => {
    const name = lowAt(text, index)
      .replace(/^daily$/, 'day')
      .replace(/s$/, '');
    return name === 'working' && lowAt(text, index + 1) === 'day' ? 'weekday' : name;
  };
  const isDay = (index: number): boolean => weekdays.includes(nameAt(index));
  const name = nameAt(at);
  if (hours[name] === undefined && !isDay(at)) return null;
  const named = isDay(at) ? [name] : [];
  let end = at + (lowAt(text, at) === 'working' ? 2 : 1);
  while (is(text, end, 'listing') && isDay(end + 1)) {
    named.push(nameAt(end + 1));
    end += 2;
  }
  const said = clock.exec(text.goal.slice(text.words[end]?.start));
  const [whole = '', hour, minute = '0', half] = said ?? [];
  const isPm = half?.toLowerCase() === 'pm' && Number(hour) < 12;
  const when = hour === undefined ? (hours[name] ?? 9) : Number(hour) + (isPm ? 12 : 0);
  const days = named.map((day) => weekdays.indexOf(day)).join(',') || (name === 'weekday' ? '1-5' : '*');
  const last = (text.words[end]?.start ?? 0) + whole.length;
  const to = said === null ? end : text.words.findLastIndex(({ start }) => start < last) + 1;
  return {
    ...{ from, to },
    value: { cron: `${Number(minute) % 60} ${when % 24} * * ${days}`, timezone },
  };
}

/** "until Friday", "for 3 days". */
function endAt(text: Text, from: number, now: Date, timezone: string): Part<Date> | null {
  const { words, goal } = text;
  if (lowAt(text, from) === 'for') {
    const at = words.findIndex((_word, index) => index > from && !is(text, index, 'for the next'));
    const span = spanAt(text, at);
    if (span === null || span.minutes < 60) return null;
    return { value: new Date(now.getTime() + span.minutes * 60_000), from, to: span.end };
  }
  const isTo = lowAt(text, from) === 'up' && lowAt(text, from + 1) === 'to';
  if (!isTo && !is(text, from, 'until')) return null;
  const at = from + (isTo ? 2 : 1);
  const stop = words.findIndex((_word, index) => index > at && is(text, index, 'ends until'));
  const to = stop < 0 ? words.length : stop;
  const value = momentOf(goal.slice(words[at]?.start, words[to - 1]?.end), now, timezone);
  return value === null ? null : { value, from, to };
}

/** A day lasts until its last minute. Null for words that are no time. */
function momentOf(words: string, now: Date, timezone: string): Date | null {
  const offset = offsetMinutes(now, timezone);
  const named = words.replace(/^(?:the\s+)?end of (?:the |this )?/i, '');
  const said = /^week$/i.test(named) ? 'sunday' : /^day$/i.test(named) ? 'today' : named;
  const [found] = casual.parse(said, { instant: now, timezone: offset }, { forwardDate: true });
  if (found === undefined || found.text.trim().length < said.trim().length) return null;
  const { start } = found;
  if (start.isCertain('hour')) return found.date();
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return null;
  return new Date(Date.UTC(year, month - 1, day, 23, 59) - offset * 60_000);
}

/** Minutes by which a zone is ahead of UTC. */
function offsetMinutes(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const [, sign, hour = '0', minute = '0'] =
    /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

/** "and again when it is worse by 10 %". */
function worseAt(text: Text, at: number): Part<Worse> | null {
  const by = /^(\d+(?:\.\d+)?)%?$/.exec(lowAt(text, at + 2))?.[1];
  if (lowAt(text, at) !== 'worse' || by === undefined) return null;
  const isShare = lowAt(text, at + 2).endsWith('%');
  const isPercent = is(text, at + 3, 'percent');
  const from = text.words.findLastIndex((_word, index) => index < at && !is(text, index, 'once more')) + 1;
  const value: Worse = { by: Number(by), unit: isShare || isPercent ? 'percent' : 'number' };
  return { value, from, to: at + (isPercent ? 4 : 3) };
}

/** The request without some of its parts, and without the marks that they leave at its ends. */
function without({ words, goal }: Text, parts: readonly Part<unknown>[]): string {
  const isGone = (at: number): boolean => parts.some(({ from, to }) => at >= from && at < to);
  const kept = words.flatMap(({ start, end }, at) => (isGone(at) ? [] : [{ start, end, at }]));
  const said = kept.map(({ start, end, at }, index) => {
    const next = kept[index + 1];
    return goal.slice(start, next?.at === at + 1 ? next.start : end) + (next?.at === at + 1 ? '' : ' ');
  });
  return said
    .join('')
    .replace(/\s+(?=[,;.])/g, '')
    .replace(/([,;])(?:\s*[,;])+/g, '$1')
    .replace(/^[\s,;:]+|[\s,;]+$/g, '');
}

/** Null for a request that is done once. `timezone`: of times without one. */
export function readWatch(text: Text, now: Date, timezone: string): Watched | null {
  const head = headOf(text);
  const every = first(text, (at) => cadenceAt(text, at, timezone));
  if (head === null && every === null) return null;
  const end = first(text, (at) => endAt(text, at, now, timezone));
  const worse = first(text, (at) => worseAt(text, at));
  const times: WatchTimes = {
    every: every?.value ?? { minutes: 10 },
    ...(end === null ? {} : { until: momentText(end.value) }),
    ...(worse === null ? {} : { worse: worse.value }),
  };
  const parts = [head, every, end, worse].filter((part) => part !== null);
  return { times, isGuess: every === null, rest: without(text, parts) };
}
