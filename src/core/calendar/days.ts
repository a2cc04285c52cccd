import { own } from '../own-property.ts';

/** A moment in the requested time zone. */
export type Day = Temporal.ZonedDateTime;
export type Bounds = readonly [Day, Day];

/** The point in time from which words are read. */
export interface Seen {
  readonly now: Day;
  /** Recurring dates resolve to the latest one that begins by this moment. */
  readonly by: Day;
  readonly isPast: boolean;
}

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
];
const holidays: Readonly<Record<string, string>> = {
  'christmas eve': '24 december',
  christmas: '25 december',
  'new years eve': '31 december',
  'new year': '1 january',
  'new years': '1 january',
};
export const units: Readonly<Record<string, number>> = { week: 1, month: 1, quarter: 3, year: 12 };
export const before = (one: Day, other: Day): boolean => one.epochMilliseconds < other.epochMilliseconds;

export function valid<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The same, that many days later. */
export const shifted = ([from, to]: Bounds, days: number): Bounds => [from.add({ days }), to.add({ days })];

/** The start of the named day, and the number of days after which that name recurs; 0 for never. */
export function dayIn(name: string, seen: Seen): { from: Day; every: number } | null {
  const today = seen.now.startOfDay();
  const far = /^day (before yesterday|after tomorrow)$/.exec(name)?.[1];
  if (far !== undefined) return { from: today.add({ days: far.startsWith('b') ? -2 : 2 }), every: 0 };
  const near = ['yesterday', 'today', 'tomorrow'].indexOf(name);
  if (near >= 0) return { from: today.add({ days: near - 1 }), every: 0 };
  const week = weekBehind.exec(name)?.[0];
  if (week !== undefined) {
    const first = unitIn(week.trim(), seen)?.[0];
    const day = weekdays.findIndex((one) => one.startsWith(name.slice(0, -week.length).slice(0, 9)));
    return first && day >= 0 && name.length - week.length > 2
      ? { from: first.add({ days: day }), every: 0 }
      : null;
  }
  const nth = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(name)?.[1];
  if (nth !== undefined) return nthOfMonth(Number(nth), seen);
  const [, which, short = ''] = /^(?:(last|this|next) )?([a-z]{3,9})$/.exec(name) ?? [];
  const index = short === '' ? -1 : weekdays.findIndex((one) => one.startsWith(short));
  if (index < 0) {
    // "friday 27 november": the date decides.
    const date = name.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* (?=\d|[a-z]+ \d)/, '');
    const from = dateIn(own(holidays, date) ?? date, seen);
    return from && { from, every: 0 };
  }
  const base = which === undefined ? (seen.isPast ? seen.by : seen.now).startOfDay() : today;
  const ahead = (index + 1 - base.dayOfWeek + 7) % 7;
  const isBack = which === 'last' || (seen.isPast && which !== 'next' && ahead > 0);
  const isNext = which === 'next' && ahead === 0;
  return { from: base.add({ days: ahead + (isBack ? -7 : isNext ? 7 : 0) }), every: which ? 0 : 7 };
}

/** The latest 14th of a month, or the next one. */
function nthOfMonth(day: number, { now, by, isPast }: Seen): { from: Day; every: number } | null {
  const first = (isPast ? by : now).startOfDay().with({ day: 1 });
  const months = isPast ? [0, -1, -2] : [0, 1, 2];
  const found = months
    .map((count) => valid(() => first.add({ months: count }).with({ day }, { overflow: 'reject' })))
    .find((one) => one !== null && (isPast ? !before(by, one) : !before(one, now.startOfDay())));
  return found ? { from: found, every: 0 } : null;
}

/** `2026-03-10`, `12 nov`, `november 12th 2025`. */
function dateIn(name: string, { now, by, isPast }: Seen): Day | null {
  const zone = now.timeZoneId;
  if (/^\d{4}-\d{2}-\d{2}$/.test(name))
    return valid(() => Temporal.PlainDate.from(name).toZonedDateTime(zone));
  const [, early, word, late, year] =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?([a-z]{3,9})(?: (\d{1,2})(?:st|nd|rd|th)?)?(?: (\d{4}))?$/.exec(
      name,
    ) ?? [];
  const [month, day] = [monthOf(word), Number(early ?? late)];
  if (month === 0 || (early === undefined) === (late === undefined)) return null;
  const of = (one: number): Day | null =>
    valid(() =>
      Temporal.PlainDate.from({ year: one, month, day }, { overflow: 'reject' }).toZonedDateTime(zone),
    );
  const found = of(Number(year ?? now.year));
  if (found === null || year !== undefined) return found;
  const isOver = before(found, now.startOfDay());
  if (isPast) return before(by, found) ? of(now.year - 1) : found;
  return isOver ? of(now.year + 1) : found;
}

/** 1 to 12, 0 for no month. */
function monthOf(word = ''): number {
  return word.length < 3
    ? 0
    : months.findIndex((name) => name.startsWith(word === 'sept' ? 'sep' : word)) + 1;
}

/** A week given after its days: "monday last week". */
export const weekBehind = / (?:(?:last|this|next) week|\d+ weeks? ago)$/;

/** The latest, this or the next week, weekend, month, quarter or year. Weeks begin on Monday. */
export function unitIn(words: string, seen: Seen): Bounds | null {
  const [, which, unit = ''] = /^(?:(last|this|next) )?(week|weekend|month|quarter|year)$/.exec(words) ?? [];
  const [, ago, day] = /^(?:(\d+) weeks? ago|week of (?:the )?(.+))$/.exec(words) ?? [];
  if (unit === '' && ago === undefined && day === undefined) return null;
  const today = seen.now.startOfDay();
  const within = day === undefined ? today.subtract({ weeks: Number(ago ?? 0) }) : dayIn(day, seen)?.from;
  if (ago !== undefined || day !== undefined) {
    const start = within?.subtract({ days: within.dayOfWeek - 1 });
    return start ? [start, start.add({ weeks: 1 })] : null;
  }
  const count = which === 'last' ? -1 : which === 'next' ? 1 : 0;
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  if (unit === 'weekend') {
    const week = shifted([monday.add({ days: 5 }), monday.add({ days: 7 })], 7 * count);
    return seen.isPast && which === undefined && before(seen.by, week[0]) ? shifted(week, -7) : week;
  }
  if (unit === 'week') return [monday.add({ weeks: count }), monday.add({ weeks: count + 1 })];
  const size = own(units, unit);
  if (size === undefined) return null;
  const first = today.with({ day: 1, month: today.month - ((today.month - 1) % size) });
  return [first.add({ months: size * count }), first.add({ months: size * (count + 1) })];
}

/** `october`, `last march`, `october 2025`, `2025-10`, `2025`. */
export function monthIn(words: string, { now, by, isPast }: Seen): Bounds | null {
  const [, iso, isoMonth] = /^(\d{4})(?:-(\d{2}))?$/.exec(words) ?? [];
  const [, which, name, year = iso] = /^(?:(last|this|next) )?([a-z]{3,9})(?: (\d{4}))?$/.exec(words) ?? [];
  const month = iso === undefined ? monthOf(name) : Number(isoMonth ?? 1);
  const today = now.startOfDay();
  const of = (one: number): Day | null =>
    valid(() => today.with({ year: one, month, day: 1 }, { overflow: 'reject' }));
  const first = month === 0 ? null : of(Number(year ?? now.year));
  if (first === null) return null;
  if (iso !== undefined && isoMonth === undefined) return [first, first.add({ years: 1 })];
  const end = first.add({ months: 1 });
  const isOver = !before(now, end);
  const back = which === 'last' ? !isOver : isPast && which === undefined && before(by, first);
  const on = which === 'next' ? !before(now, first) : !isPast && which === undefined && isOver;
  const shift = year !== undefined ? 0 : back ? -1 : on ? 1 : 0;
  return [first.add({ years: shift }), end.add({ years: shift })];
}
