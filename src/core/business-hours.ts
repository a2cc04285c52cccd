/** When time counts towards an SLA. */
export interface BusinessHours {
  /** Days of the week that count: 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** `09:00`, on the clock of `timezone`. */
  readonly from: string;
  /** After `from`, on the same day; `24:00` is its end. */
  readonly to: string;
  /** IANA name such as Europe/Berlin. */
  readonly timezone: string;
  /** Days that do not count: `2026-12-25`. */
  readonly holidays: readonly string[];
}

/** Most days we walk through; an SLA ten years old needs no precision to the hour. */
const maxDays = 3_660;

/** Milliseconds of business hours between two moments; 0 when the second is not after the first. */
export function workedMs(start: Date, end: Date, hours: BusinessHours): number {
  let worked = 0;
  for (const { from, to } of shifts(start, hours)) {
    if (from >= end.getTime()) break;
    worked += Math.min(to, end.getTime()) - from;
  }
  return worked;
}

/** The moment at which `ms` of business hours have passed since `start`; null when that is ten years away. */
export function momentAfter(start: Date, ms: number, hours: BusinessHours): Date | null {
  let left = ms;
  for (const { from, to } of shifts(start, hours)) {
    if (left <= to - from) return new Date(from + left);
    left -= to - from;
  }
  return null;
}

/** Business hours from `start` on, one stretch per day, in epoch milliseconds. Correct across clock changes. */
function* shifts(start: Date, hours: BusinessHours): Generator<{ from: number; to: number }> {
  const { days, timezone, holidays } = hours;
  let day = Temporal.Instant.fromEpochMilliseconds(start.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  for (let walked = 0; walked < maxDays; walked += 1, day = day.add({ days: 1 })) {
    if (!days.includes(day.dayOfWeek) || holidays.includes(day.toString())) continue;
    const from = Math.max(at(day, hours.from, timezone), start.getTime());
    const to = at(day, hours.to, timezone);
    if (from < to) yield { from, to };
  }
}

function at(day: Temporal.PlainDate, clock: string, timeZone: string): number {
  if (clock === '24:00') return day.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
  return day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(clock) }).epochMilliseconds;
}
