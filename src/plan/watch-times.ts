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
  /** "tell me when …": it waits for something without saying how often to look. */
  readonly waits: boolean;
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
  const acts = text.words.some((_word, at) => is(text, at, 'verb write', 'me'));
  const isThen = (at: number): boolean =>
    (lowAt(text, at) === 'at' && (clockAt(text, at, 'UTC') !== null || is(text, at + 1, 'time'))) ||
    (lowAt(text, at) === 'in' && spanAt(text, at + 1) !== null && !is(text, at + 1, 'last')) ||
    text.words[at]?.things.some(({ tense }) => tense === 'future') === true;
  return acts && text.words.some((_word, at) => !isTold(text, at) && isThen(at));
}

/** Minutes of a duration at a place, with the token behind it. */
function spanAt({ words }: Text, at: number): { minutes: number; end: number } | null {
  const thing = words[at]?.things.find(({ kind }) => kind === 'duration');
  const ms = thing && durationMs(thing.value);
  return thing && ms ? { minutes: ms / 60_000, end: at + thing.length } : null;
}

const unitMinutes: Readonly<Record<string, number>> = { S: 1 / 60, M: 1, H: 60, W: 10_080 };

/**
 * "hourly", "every 10 minutes", "every other hour", "each weekday at 9", "mondays 10:00". Of a watch that is there, days or a
 * time of the clock alone are its new ones.
 */
function cadenceAt(text: Text, from: number, { timezone, before }: Zone): Part<Cadence> | null {
  const low = lowAt(text, from);
  if (low === 'hourly') return { value: { minutes: 60 }, from, to: from + 1 };
  const isOnce = low === 'once' && is(text, from + 1, 'articles', 'each time');
  const at = is(text, from, 'each time') ? from + 1 : isOnce ? from + 2 : null;
  const isNamed =
    low === 'daily' ||
    low === 'nightly' ||
    (/s$/i.test(text.words[from]?.raw ?? '') && (from === 0 || before));
  if (at === null && isNamed) return daysAt(text, from, from, { timezone, before });
  const said = at === null && before ? clockAt(text, from, timezone) : null;
  if (said) return { from, to: said.to, value: cronOf(said, daysOf(before), said.zone) };
  if (at === null) return null;
  const days = daysAt(text, from, at, { timezone, before });
  if (days !== null) return days;
  const span = spanAt(text, at);
  if (span !== null) return { value: { minutes: span.minutes }, from, to: span.end };
  const times = lowAt(text, at) === 'other' ? 2 : 1;
  const unit = unitMinutes[text.lexicon.units.get(lowAt(text, at + times - 1)) ?? ''];
  return unit === undefined ? null : { value: { minutes: unit * times }, from, to: at + times };
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

interface Clock {
  readonly hours: string;
  readonly minute: number;
  readonly zone: string;
  readonly to: number;
}

const clock = /^(at\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|h)?(?!\p{L}|\d|[:-]\d)/iu;

/** "at 9", "4pm", "8:45 Berlin time", "at 9 and at 15:00": a bare number is none. */
function clockAt(text: Text, from: number, timezone: string): Clock | null {
  const { goal, words } = text;
  const start = words[from]?.start ?? goal.length;
  const [whole, at, hour = '', minute, half] = clock.exec(goal.slice(start)) ?? [];
  if (whole === undefined || !(at || minute || half)) return null;
  const isPm = half?.toLowerCase() === 'pm' && Number(hour) < 12;
  const own = String((Number(hour) + (isPm ? 12 : 0)) % 24);
  const to = words.findLastIndex((word) => word.start < start + whole.length) + 1;
  const more = is(text, to, 'listing') ? clockAt(text, to + 1, timezone) : null;
  if (more && more.minute === Number(minute ?? 0)) return { ...more, hours: `${own},${more.hours}` };
  const zone = zoneAt(text, to);
  return { hours: own, minute: Number(minute ?? 0) % 60, zone: zone?.name ?? timezone, to: zone?.to ?? to };
}

/** "UTC", "CET", "Europe/Madrid", "Berlin time". */
function zoneAt({ words }: Text, at: number): { name: string; to: number } | null {
  const { raw = '' } = words[at] ?? {};
  const city = words[at + 1]?.low === 'time' ? `/${raw.toLowerCase()}` : null;
  const zones = Intl.supportedValuesOf('timeZone');
  const named = city === null ? undefined : zones.find((zone) => zone.toLowerCase().endsWith(city));
  if (named !== undefined) return { name: named, to: at + 2 };
  const isZone = zones.includes(raw) || /^(?:UTC|GMT|CET|EET|WET|EST|MST|HST)$/.test(raw);
  return isZone ? { name: raw, to: at + 1 } : null;
}

const daysOf = (before: WatchTimes | undefined): string =>
  before && 'cron' in before.every ? (before.every.cron.split(' ')[4] ?? '*') : '*';

const cronOf = ({ hours, minute }: Omit<Clock, 'to'>, days: string, timezone: string): Cadence => ({
  cron: `${minute} ${hours} * * ${days}`,
  timezone,
});

/** What a watch that is changed looked at before, and the zone of times without one. */
interface Zone {
  readonly timezone: string;
  readonly before: WatchTimes | undefined;
}

/** "morning", "monday and thursday", each at a time of the clock or at the usual one. */
function daysAt(text: Text, from: number, at: number, { timezone, before }: Zone): Part<Cadence> | null {
  const { hours } = text.lexicon.words;
  const nameAt = (index: number): string => {
    const name = lowAt(text, index)
      .replace(/^daily$/, 'day')
      .replace(/^nightly$/, 'night')
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
  const said = clockAt(text, end, timezone);
  const days = named.map((day) => weekdays.indexOf(day)).join(',') || (name === 'weekday' ? '1-5' : '*');
  const [minute = '0', hour = String(hours[name] ?? 9)] =
    before && 'cron' in before.every ? before.every.cron.split(' ') : [];
  const usual = { hours: hour, minute: Number(minute), zone: timezone };
  return { from, to: said?.to ?? end, value: cronOf(said ?? usual, days, said?.zone ?? timezone) };
}

/** "until Friday", "until 6pm", "for 3 days"; of a watch that is there also "stop on Friday". */
function endAt(text: Text, from: number, now: Date, { timezone, before }: Zone): Part<Date> | null {
  const { words, goal } = text;
  const low = lowAt(text, from);
  if (low === 'for') {
    const at = words.findIndex((_word, index) => index > from && !is(text, index, 'for the next'));
    const span = spanAt(text, at);
    if (span === null || span.minutes < 60) return null;
    return { value: new Date(now.getTime() + span.minutes * 60_000), from, to: span.end };
  }
  const isTo = low === 'up' && lowAt(text, from + 1) === 'to';
  const stops = before !== undefined && is(text, from, 'stopping');
  if (!isTo && !stops && !is(text, from, 'until')) return null;
  const at = from + (isTo || (stops && is(text, from + 1, 'within', 'until')) ? 2 : 1);
  const start = words[at]?.start ?? goal.length;
  const found = momentIn(goal.slice(start), now, timezone);
  const to = words.findLastIndex((word) => word.start < start + (found?.length ?? 0)) + 1;
  return found === null ? null : { value: found.value, from, to };
}

/** The moment that some words begin with, and how many letters say it. A day lasts until its last minute. */
function momentIn(words: string, now: Date, timezone: string): { value: Date; length: number } | null {
  const offset = offsetMinutes(now, timezone);
  const [lead = ''] = /^(?:the\s+)?end of (?:the |this )?/i.exec(words) ?? [];
  const named = words.slice(lead.length);
  const said = named.replace(/^week\b/i, 'sunday').replace(/^day\b/i, 'today');
  const [found] = casual.parse(said, { instant: now, timezone: offset }, { forwardDate: true });
  if (found?.index !== 0) return null;
  const { start, text } = found;
  const length = lead.length + text.length + named.length - said.length;
  if (start.isCertain('hour')) return { value: found.date(), length };
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return null;
  const isMonth = lead !== '' && !start.isCertain('day') && !start.isCertain('weekday');
  const [last, from] = isMonth ? [0, month] : [day, month - 1];
  return { value: new Date(Date.UTC(year, from, last, 23, 59) - offset * 60_000), length };
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

/**
 * Null for a request that is done once. `timezone`: of times without one. `before`: the times of a watch that the words
 * change.
 */
export function readWatch(text: Text, now: Date, timezone: string, before?: WatchTimes): Watched | null {
  const zone: Zone = { timezone, before };
  const head = before ? null : headOf(text);
  const every = first(text, (at) => cadenceAt(text, at, zone));
  const waits = !before && head === null && every === null && waitsFor(text) && tellsMe(text);
  const isWatch = head !== null || every !== null || before !== undefined || waits;
  const end = isWatch ? first(text, (at) => endAt(text, at, now, zone)) : null;
  const worse = isWatch ? first(text, (at) => worseAt(text, at)) : null;
  const parts = [head, every, end, worse].filter((part) => part !== null);
  if (!isWatch || (parts.length === 0 && !waits)) return null;
  const times: WatchTimes = {
    ...before,
    every: every?.value ?? before?.every ?? { minutes: 10 },
    ...(end === null ? {} : { until: momentText(end.value) }),
    ...(worse === null ? {} : { worse: worse.value }),
  };
  return { times, isGuess: every === null && before === undefined, waits, rest: without(text, parts) };
}
