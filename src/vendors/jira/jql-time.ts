import { own } from '../../core/own.ts';
import { ArgumentError } from './argument-error.ts';

const minutesOf: Record<string, number> = { W: 10_080, D: 1_440, H: 60, M: 1 };
const units: readonly (readonly [string, number])[] = [
  ['w', 10_080],
  ['d', 1_440],
  ['h', 60],
  ['m', 1],
];

/**
 * An ISO 8601 duration as a JQL period: PT30M is `30m`, P2D is `2d`. Seconds are rounded up to minutes. Months and
 * years are refused, for they have no fixed length in JQL.
 */
export function jqlPeriod(iso: string, argument: string): string {
  const match = /^P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/.exec(
    iso,
  );
  const [weeks, days, hours, minutes, seconds] = (match ?? []).slice(1).map((part) => Number(part ?? 0));
  const total =
    (weeks ?? 0) * (minutesOf.W ?? 0) +
    (days ?? 0) * (minutesOf.D ?? 0) +
    (hours ?? 0) * (minutesOf.H ?? 0) +
    (minutes ?? 0) +
    Math.ceil((seconds ?? 0) / 60);
  if (match === null || total === 0) {
    throw new ArgumentError(
      'bad_window',
      `The argument ${argument} must be a duration such as PT30M, PT2H or P7D.`,
    );
  }
  const [unit, size] = units.find(([, length]) => total % length === 0) ?? ['m', 1];
  return `${total / size}${unit}`;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
];

/** Words that Jira itself counts from: days, weeks and months are those of the Jira account's time zone. */
const edges: Readonly<Record<string, string>> = {
  today: 'startOfDay()',
  midnight: 'startOfDay()',
  morning: 'startOfDay()',
  afternoon: 'startOfDay("12h")',
  evening: 'startOfDay("18h")',
  yesterday: 'startOfDay("-1d")',
  night: 'startOfDay("-6h")',
  'last night': 'startOfDay("-6h")',
  week: 'startOfWeek()',
  'last week': 'startOfWeek("-1w")',
  month: 'startOfMonth()',
  'last month': 'startOfMonth(-1)',
  year: 'startOfYear()',
  'last year': 'startOfYear(-1)',
};

/** The day in UTC that lies `back` days before now, as `startOfDay("-3d")`. */
function daysBack(back: number): string {
  return back === 0 ? 'startOfDay()' : `startOfDay("-${back}d")`;
}

/** A moment as JQL writes it, which has no seconds and no zone: `"2026-03-10 09:30"`, UTC. */
function moment(at: Date): string {
  return `"${at.toISOString().slice(0, 16).replace('T', ' ')}"`;
}

/** Days since the latest one of that name, today included; a weekend begins on its Saturday. */
function daysSince(word: string, now: Date): number | null {
  if (word === 'today' || word === 'yesterday') return word === 'today' ? 0 : 1;
  const name = word.replace(/^last\s+/, '');
  const weekday = name === 'weekend' ? 6 : weekdays.indexOf(name);
  return weekday === -1 ? null : (now.getUTCDay() - weekday + 7) % 7;
}

function weekdayStart(word: string, now: Date): string | null {
  const back = daysSince(word, now);
  return back === null ? null : daysBack(back);
}

/** The first day of the latest month of that name, or of this quarter. */
function monthStart(word: string, now: Date): string | null {
  const current = now.getUTCMonth();
  const month = word === 'quarter' ? current - (current % 3) : months.indexOf(word.replace(/^last\s+/, ''));
  if (month === -1) return null;
  const year = now.getUTCFullYear() - (month > current ? 1 : 0);
  return `"${new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)}"`;
}

/** That time on the clock of a day, or the latest moment with it, UTC: `yesterday 14:00`, `14:00`. */
function clockStart(word: string, now: Date): string | null {
  const match = /^(?:(.+?) (?:at )?)?([01]?\d|2[0-3]):([0-5]\d)$/.exec(word === 'noon' ? '12:00' : word);
  const back = match?.[1] === undefined ? 0 : daysSince(match[1], now);
  if (!match || back === null) return null;
  const at = new Date(now);
  at.setUTCHours(Number(match[2]), Number(match[3]), 0, 0);
  at.setUTCDate(at.getUTCDate() - back);
  if (at > now && match[1] !== 'today') at.setUTCDate(at.getUTCDate() - (match[1] === undefined ? 1 : 7));
  return moment(at);
}

function dateStart(word: string): string | null {
  const iso = word.toUpperCase();
  if (!isDay(iso.slice(0, 10))) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return `"${iso}"`;
  if (!/^[\d-]{10}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(iso)) return null;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`;
  const at = new Date(zoned.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? null : moment(at);
}

function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/**
 * The moment that a calendar word means: today, yesterday, a weekday or month (the latest one), this or last week or
 * month, a time on the clock, or a date with or without a time. Clock times are UTC unless they say otherwise.
 */
export function jqlMoment(word: string, argument: string, now: Date): string {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/^(since|before|until|the|this|\s)+\s/, '');
  const found =
    own(edges, plain) ??
    weekdayStart(plain, now) ??
    monthStart(plain, now) ??
    clockStart(plain, now) ??
    dateStart(plain);
  if (found !== null) return found;
  throw new ArgumentError(
    'bad_since',
    `The argument ${argument} must be today, yesterday, a weekday, this week, last week, this month, a time, or a date such as 2026-03-01.`,
  );
}
