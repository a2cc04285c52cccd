import { type Back, periodOf, TimeError } from '../../core/calendar/period.ts';
import { durationMs } from '../../core/duration.ts';
import { ArgumentError } from './argument-error.ts';

/** Days within this distance are written relative to today: last week began at most that long ago. */
const farthest = 13;
const units: readonly (readonly [string, number])[] = [
  ['w', 10_080],
  ['d', 1_440],
  ['h', 60],
  ['m', 1],
];

/** A duration as a JQL period: PT30M is `30m`, P2D is `2d`. Seconds are rounded up to minutes. */
export function jqlPeriod(said: string, argument: string): string {
  const total = Math.ceil((durationMs(said) ?? 0) / 60_000);
  if (total === 0)
    throw new ArgumentError(
      'bad_window',
      `The argument ${argument} must be a duration such as PT30M, PT2H or P7D.`,
    );
  const [unit, size] = units.find(([, length]) => total % length === 0) ?? ['m', 1];
  return `${total / size}${unit}`;
}

/**
 * A moment in JQL. Jira reads dates and hours in its account's time zone, which should be the workspace's. With
 * `counted`, nearby days are relative to Jira's own today, which is right even if the time zones differ.
 */
function jqlMoment(at: Date, { now, zone }: Back, counted: boolean): string {
  const here = (moment: Date): Temporal.PlainDateTime =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
  const [moment, today] = [here(at), here(now).toPlainDate()];
  const day = moment.toPlainDate();
  if (!moment.equals(day.toPlainDateTime()))
    return `"${day} ${moment.toPlainTime().toString({ smallestUnit: 'minute' })}"`;
  const ahead = today.until(day).days;
  if (!counted || Math.abs(ahead) > farthest) return `"${day}"`;
  return ahead === 0 ? 'startOfDay()' : `startOfDay("${ahead}d")`;
}

/** Time arguments as clauses about a field. Throws an ArgumentError that names the argument. */
export function jqlTimes(
  field: string,
  times: Readonly<Record<string, string | undefined>>,
  here: Back,
): string[] {
  try {
    const { from, to } = periodOf(times, here);
    const counted = !Object.values(times).every((words) => words === undefined || /^\d{4}-/.test(words));
    return [
      ...(from === null ? [] : [`${field} >= ${jqlMoment(from, here, counted)}`]),
      ...(to === null ? [] : [`${field} < ${jqlMoment(to, here, counted)}`]),
    ];
  } catch (error) {
    if (error instanceof TimeError) throw new ArgumentError(error.code, error.message);
    throw error;
  }
}
