import { durationMs } from '../duration.ts';
import { own } from '../own-property.ts';
import {
  type Bounds,
  before,
  type Day,
  dayIn,
  monthIn,
  months,
  type Seen,
  shifted,
  unitIn,
  units,
  valid,
  weekBehind,
  weekdays,
} from './days.ts';

/** From a moment up to, but not including, another; both are equal when the words mean one moment. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The context in which words are read. */
export interface Here {
  readonly now: Date;
  /** IANA time zone for days and hours. */
  readonly zone: string;
  /** Which Friday "Friday" means: `past` is the latest one, `coming` the next. */
  readonly aim: 'past' | 'coming';
}

/** Hours of each part of a day; a night ends on the next day. */
const parts: Readonly<Record<string, readonly [number, number]>> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 22],
  night: [22, 30],
};
/** Looking back, morning starts at midnight, evening ends at midnight, and night includes the evening. */
const wide: typeof parts = { ...parts, morning: [0, 12], evening: [18, 24], night: [18, 30] };
/** Before this hour it still counts as the previous night. */
const nightEnds = 6;
const same: Readonly<Record<string, string>> = {
  overnight: 'yesterday night',
  'last night': 'yesterday night',
  'last evening': 'yesterday evening',
  tonight: 'this night',
  'later today': 'today',
};

/** Words that times are made of, for readers that must tell them apart from other words. */
export const calendarWords: readonly string[] = [
  ...['today', 'yesterday', 'tomorrow', 'overnight', 'tonight', 'midnight', 'noon', 'weekend'],
  ...weekdays,
  ...weekdays.map((name) => name.slice(0, 3)),
  ...months,
  ...months.map((name) => name.slice(0, 3)),
  ...[...Object.keys(units), ...Object.keys(parts), 'christmas', 'sept', 'tues', 'thurs'],
];

/** The zone at the end of a time: `02:00 Europe/Berlin`, `today UTC`. */
export const zoneNamed = / (?:utc|gmt|[a-z_]+(?:\/[a-z0-9_+-]+){1,2})$/i;

/**
 * Resolves calendar words relative to now: “in 3 days”, days, weeks (from Monday), months, quarters, years, weekends, parts of a
 * day, clock times alone, with a day or within a part of it (`last night 02:00`), ISO dates and times, and inclusive
 * ranges (`monday to wednesday`). Null for words that are no time.
 */
export function spanOf(said: string, { now, zone, aim }: Here, by: Date = now): Span | null {
  const at = (moment: Date): Day =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  const ahead = aheadMs(said);
  if (ahead !== null) return { from: new Date(now.getTime() + ahead), to: new Date(now.getTime() + ahead) };
  const found = inWords(tidy(said), { now: at(now), by: at(by), isPast: aim === 'past' });
  if (found === null) return null;
  const [from, to] = found.map(({ epochMilliseconds }) => new Date(epochMilliseconds)) as [Date, Date];
  return { from, to };
}

/** "in 3 days". */
function aheadMs(said: string): number | null {
  const words = said.trim();
  return /^in \S/i.test(words) ? durationMs(words.slice(3)) : null;
}

function tidy(said: string): string {
  return said
    .trim()
    .toLowerCase()
    .replaceAll(/['’,]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:(?:at|on|in|of|over|during|since|before|until|the) )+/, '');
}

function inWords(words: string, seen: Seen): Bounds | null {
  const zone = zoneNamed.exec(words)?.[0];
  if (zone !== undefined) return inZone(words.slice(0, -zone.length), zone.trim(), seen);
  if (words === 'now') return [seen.now, seen.now];
  const [, first, last] = /^(?:(?:between|from) )?(\S.*?) (?:to|and|[-–]) (.+)$/s.exec(words) ?? [];
  if (first !== undefined && last !== undefined) return between(tidy(first), tidy(last), seen);
  // "night of the 14th"
  const named = (own(same, words) ?? words).replace(
    /^(morning|afternoon|evening|night) of (?:the )?(.+)$/,
    '$2 $1',
  );
  return exactly(named, seen.now) ?? clockIn(named, seen) ?? partIn(named, seen) ?? wholeIn(named, seen);
}

function inZone(words: string, name: string, seen: Seen): Bounds | null {
  const zone = name === 'gmt' ? 'UTC' : name;
  return valid(() => {
    const [now, by] = [seen.now.withTimeZone(zone), seen.by.withTimeZone(zone)];
    return inWords(words, { ...seen, now, by });
  });
}

/** From the start of the first to the end of the last. */
function between(first: string, last: string, seen: Seen): Bounds | null {
  const end = inWords(last, seen);
  // "monday to thursday last week": the week applies to both.
  const week = weekBehind.exec(last)?.[0];
  const back = end && seen.isPast ? { ...seen, by: end[0] } : seen;
  const start = end && ((week && inWords(first + week, seen)) || inWords(first, back));
  return start && end && before(start[0], end[1]) ? [start[0], end[1]] : null;
}

/** A date with a clock time, with or without an offset. */
function exactly(words: string, { timeZoneId }: Day): Bounds | null {
  const iso = words.toUpperCase();
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(iso)) return null;
  return valid(() => {
    const moment = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso)
      ? Temporal.Instant.from(iso).toZonedDateTimeISO(timeZoneId)
      : Temporal.PlainDateTime.from(iso).toZonedDateTime(timeZoneId);
    return [moment, moment];
  });
}

const clock =
  /^(?:(?<of>.+?) (?:at )?)?(?:(?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>[ap]m)?|(?<named>noon|midnight))$/;

/** A clock time, alone or with its day. */
function clockIn(words: string, seen: Seen): Bounds | null {
  const { of, hour, minute, half, named } = clock.exec(words)?.groups ?? {};
  if (named === undefined && (hour === undefined || (minute === undefined && half === undefined)))
    return null;
  const hours = named
    ? named === 'noon'
      ? 12
      : 0
    : (Number(hour) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0);
  if (Number(hour ?? 0) > (half ? 12 : 23) || Number(minute ?? 0) > 59) return null;
  const days = of === undefined ? null : dayIn(of, seen);
  if (of !== undefined && days === null) {
    const within = partIn(own(same, of) ?? of, seen);
    return within && hourIn(within, hours, Number(minute ?? 0));
  }
  const at = (days?.from ?? seen.by.startOfDay()).with({ hour: hours, minute: Number(minute ?? 0) });
  // Recurring times resolve to the latest one; a date, or today, is exact.
  const every = of === undefined ? 1 : (days?.every ?? 0);
  const isAhead = seen.isPast && before(seen.by, at);
  const isPassed = !seen.isPast && named === 'midnight' && of === undefined;
  const moment = isAhead ? at.subtract({ days: every }) : isPassed ? at.add({ days: 1 }) : at;
  return [moment, moment];
}

/** "last night at 2", "this evening at 8": the clock time within that part of the day. */
function hourIn([from, to]: Bounds, hour: number, minute: number): Bounds | null {
  const first = from.with({ hour, minute });
  const found = [first, first.add({ days: 1 }), first.add({ hours: 12 })].find(
    (at) => !before(at, from) && !before(to, at),
  );
  return found ? [found, found] : null;
}

/** A part of a day: "this morning", "friday night". */
function partIn(words: string, seen: Seen): Bounds | null {
  const [, said = '', part = ''] = /^(?:(.+) )?(morning|afternoon|evening|night)$/.exec(words) ?? [];
  const [first, last] = own(seen.isPast ? wide : parts, part) ?? [];
  if (first === undefined || last === undefined) return null;
  const isNight = part === 'night' && seen.now.hour < nightEnds && (said === 'this' || !seen.isPast);
  const now = isNight ? seen.now.subtract({ days: 1 }) : seen.now;
  const days = dayIn(said === 'this' || said === '' ? 'today' : said, { ...seen, now });
  if (days === null) return null;
  const bounds = [atHour(days.from, first), atHour(days.from, last)] as const;
  const every = said === '' ? 1 : days.every;
  if (seen.isPast && before(seen.by, bounds[0])) return shifted(bounds, -every);
  return !seen.isPast && said === '' && before(bounds[1], seen.now) ? shifted(bounds, every) : bounds;
}

/** 22 is ten in the evening, 30 six in the morning after. */
function atHour(day: Day, hour: number): Day {
  return day.add({ days: Math.floor(hour / 24) }).with({ hour: hour % 24 });
}

function wholeIn(words: string, seen: Seen): Bounds | null {
  const day = dayIn(words, seen)?.from;
  if (day) return [day, day.add({ days: 1 })];
  const [, edge, of = ''] = /^(start|beginning|end) of (?:the )?(.+)$/.exec(words) ?? [];
  if (edge === undefined) return unitIn(words, seen) ?? monthIn(words, seen);
  const whole = unitIn(of, seen) ?? monthIn(of, seen);
  const at = whole?.[edge === 'end' ? 1 : 0];
  return at ? [at, at] : null;
}
