import { CountersignError } from '../src/core/errors.ts';

/** A time that is not understood. */
export class WhenError extends CountersignError {}

/** From a moment to another; both the same where one moment is meant. */
export interface Span {
  readonly since: Date;
  readonly until: Date;
}

type Day = Temporal.ZonedDateTime;
type Bounds = readonly [Day, Day];

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Hours of a day; a night ends on the next one. */
const parts: Record<string, readonly [number, number]> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 22],
  night: [22, 30],
};
const whole: Record<string, string> = {
  'last night': 'yesterday night',
  overnight: 'yesterday night',
  tonight: 'today night',
  'in the morning': 'tomorrow morning',
  noon: 'today 12:00',
  midnight: 'tomorrow 00:00',
};
/** Before this hour it is still the night of the day before. */
const nightEnds = 6;

/**
 * Calendar words (`last night`, `next monday`), dates, clock times (`03:00`: today) and both together, in a time zone.
 * A bare weekday is the coming one. Throws a WhenError that says what can be written.
 */
export function spanOf(said: string, zone: string, now: Date): Span {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const words = said
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:at|on|the) /, '');
  const bounds = exactly(said.trim(), zone) ?? inWords(whole[words] ?? words, here);
  if (bounds === null) {
    const examples = 'now, 03:00, last night, next monday, tomorrow 09:00, 2026-03-10 or 2026-03-10 03:00';
    throw new WhenError('bad_time', `“${said}” is not a time that I know. Write one like ${examples}.`);
  }
  const [since, until] = bounds.map(({ epochMilliseconds }) => new Date(epochMilliseconds));
  return { since: since as Date, until: until as Date };
}

/** A date with a clock time, with or without an offset. */
function exactly(said: string, zone: string): Bounds | null {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(said)) return null;
  try {
    const moment = /(?:Z|[+-]\d{2}:?\d{2})$/.test(said)
      ? Temporal.Instant.from(said).toZonedDateTimeISO(zone)
      : Temporal.PlainDateTime.from(said).toZonedDateTime(zone);
    return [moment, moment];
  } catch {
    return null;
  }
}

function inWords(words: string, here: Day): Bounds | null {
  if (words === 'now') return [here, here];
  const clock = /^(?:(?<day>.+?) )?(?:at )?(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)$/.exec(words)?.groups;
  if (clock) {
    const day = dayOf(clock.day ?? 'today', here);
    const at = day?.with({ hour: Number(clock.hour), minute: Number(clock.minute) });
    return at ? [at, at] : null;
  }
  const [, name = '', part = ''] = /^(.+) (morning|afternoon|evening|night)$/.exec(words) ?? [];
  const hours = parts[part];
  if (hours) {
    const day = dayOf(name === 'this' ? 'today' : name, part === 'night' ? nightOf(here) : here);
    return day ? [atHour(day, hours[0]), atHour(day, hours[1])] : null;
  }
  const day = dayOf(words, here);
  return day ? [day, day.add({ days: 1 })] : weeksOf(words, here.startOfDay());
}

/** 22 is ten in the evening, 30 six in the morning after. */
function atHour(day: Day, hour: number): Day {
  return day.add({ days: Math.floor(hour / 24) }).with({ hour: hour % 24 });
}

function nightOf(here: Day): Day {
  return here.hour < nightEnds ? here.subtract({ days: 1 }) : here;
}

/** The start of a day. */
function dayOf(name: string, here: Day): Day | null {
  const today = here.startOfDay();
  if (name === 'today') return today;
  if (name === 'yesterday') return today.subtract({ days: 1 });
  if (name === 'tomorrow') return today.add({ days: 1 });
  if (/^\d{4}-\d{2}-\d{2}$/.test(name)) return dated(name, here.timeZoneId);
  const [, which, short = ''] = /^(?:(last|next|this) )?([a-z]{3,9})$/.exec(name) ?? [];
  const index = weekdays.findIndex((one) => one === short || one.slice(0, 3) === short);
  if (index < 0) return null;
  const ahead = (index + 1 - today.dayOfWeek + 7) % 7;
  if (which === 'last') return today.add({ days: ahead - 7 });
  return today.add({ days: ahead === 0 && which === 'next' ? 7 : ahead });
}

function dated(name: string, zone: string): Day | null {
  try {
    return Temporal.PlainDate.from(name).toZonedDateTime(zone);
  } catch {
    return null;
  }
}

/** Weeks start on Monday; a weekend is the one of that week. */
function weeksOf(words: string, today: Day): Bounds | null {
  const [, which, what] = /^(last|this|next)? ?(week|weekend)$/.exec(words) ?? [];
  if (what === undefined) return null;
  const weeks = which === 'last' ? -1 : which === 'next' ? 1 : 0;
  const monday = today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks });
  return what === 'week'
    ? [monday, monday.add({ weeks: 1 })]
    : [monday.add({ days: 5 }), monday.add({ weeks: 1 })];
}
