import { CountersignError } from '../../core/errors.ts';

/** A question that Jira could not be asked, because a value in it means nothing. */
export class JqlError extends CountersignError {}

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
export function jqlPeriod(iso: string): string {
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
    throw new JqlError('bad_window', 'The time window must be a duration such as PT30M, PT2H or P7D.', {});
  }
  const [unit, size] = units.find(([, length]) => total % length === 0) ?? ['m', 1];
  return `${total / size}${unit}`;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const edges: Readonly<Record<string, string>> = {
  today: 'startOfDay()',
  yesterday: 'startOfDay("-1d")',
  week: 'startOfWeek()',
  'last week': 'startOfWeek("-1w")',
  month: 'startOfMonth()',
  'last month': 'startOfMonth("-1M")',
};

/** The day in UTC that lies `back` days before `now`, as `startOfDay("-3d")`. */
function daysBack(back: number): string {
  return back === 0 ? 'startOfDay()' : `startOfDay("-${back}d")`;
}

/**
 * The moment that a calendar word means: today, yesterday, a weekday (the latest one, today included), this or last
 * week or month, a date, or a date with a time (UTC unless it says otherwise). Days are those of the Jira account.
 */
export function jqlSince(word: string, now: Date): string {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/^(since|the|this|\s)+\s/, '');
  const edge = Object.hasOwn(edges, plain) ? edges[plain] : undefined;
  if (edge !== undefined) return edge;
  const weekday = weekdays.indexOf(plain.replace(/^last\s+/, ''));
  if (weekday !== -1) return daysBack((now.getUTCDay() - weekday + 7) % 7);
  const iso = plain.toUpperCase();
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso) && isDay(iso)) return `"${iso}"`;
  if (
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(iso) &&
    isDay(iso.slice(0, 10))
  ) {
    const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`;
    const moment = new Date(zoned.replace(' ', 'T'));
    if (!Number.isNaN(moment.getTime())) return `"${moment.toISOString().slice(0, 16).replace('T', ' ')}"`;
  }
  throw new JqlError(
    'bad_since',
    'The start must be today, yesterday, a weekday, this week, last week, this month, or a date such as 2026-03-01.',
  );
}

function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
