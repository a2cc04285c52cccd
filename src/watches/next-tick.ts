import { createTask } from 'node-cron';
import type { Cadence } from '../core/cadence.ts';

export const minuteMs = 60_000;
/** How far ahead and back to search for ticks, in minutes. */
const horizon = 8 * 24 * 60;

/** Whether a minute is a tick. */
type Matches = (minute: Date) => boolean;

/**
 * The minutes of a cron line. The library says which they are and never runs: its timers leave out an hour when clocks
 * go back. Of a time of day that then comes twice, a line with hours of its own has the first. For one that the clocks
 * leave out when they go forward, it has the first minute after that.
 */
function cronTicks({ cron, timezone }: Extract<Cadence, { cron: string }>): Matches {
  const task = createTask(cron, () => undefined, { timezone, name: `${cron} ${timezone}` });
  const hours = cron.trim().split(/\s+/)[1] ?? '*';
  const byTheHour = hours.includes('*');
  const isEveryHour = /^\*(\/1)?$/.test(hours);
  const wall = new Intl.DateTimeFormat('en', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const isRepeated = (date: Date) => wall.format(date) === wall.format(date.getTime() - 60 * minuteMs);
  const leftOut = minutesLeftOut(timezone);
  // By its own clock a line matches the minutes that the zone does not have.
  const anywhere = createTask(cron, () => undefined, { timezone: 'UTC', name: `${cron} left out` });
  const makesUp = (date: Date) => !isEveryHour && leftOut(date).some((minute) => anywhere.match(minute));
  return (date) => (task.match(date) && (byTheHour || !isRepeated(date))) || makesUp(date);
}

/** The minutes that no clock of a zone shows, as if they were UTC, at the first minute after them; else none. */
function minutesLeftOut(timezone: string): (date: Date) => readonly Date[] {
  const zoned = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  // Nearly every minute is between the same two changes of the clocks.
  let [from, to] = [0, 0];
  return (date) => {
    const now = date.getTime();
    if (now > from && now < to) return [];
    const before = zoned(now - minuteMs);
    const change = before.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    if (change !== now) {
      [from, to] = [now, change];
      return [];
    }
    const offsetMs = before.offsetNanoseconds / 1_000_000;
    const gapMs = zoned(now).offsetNanoseconds / 1_000_000 - offsetMs;
    const minutes = Math.max(0, Math.round(gapMs / minuteMs));
    return Array.from({ length: minutes }, (_, index) => new Date(now + offsetMs + index * minuteMs));
  };
}

const known = new Map<string, Matches>();

function ticksOf(every: Extract<Cadence, { cron: string }>): Matches {
  const key = `${every.cron} ${every.timezone}`;
  const found = known.get(key) ?? cronTicks(every);
  known.set(key, found);
  return found;
}

function atMinute(date: Date): number {
  return Math.floor(date.getTime() / minuteMs) * minuteMs;
}

/** The first check of a cadence that starts now: at once for an interval, at the next matching minute for a cron line. */
export function firstTick(every: Cadence, now: Date): Date {
  return 'minutes' in every ? new Date(atMinute(now)) : nextOf(every, now);
}

/**
 * Due ticks, oldest first, and when to check again. `from` is the expected tick; for a cron line whose next tick is far
 * away it may not be one. Ticks more than a week old are ignored.
 */
export function dueTicks(every: Cadence, from: Date, now: Date): { due: Date[]; next: Date } {
  if (!('minutes' in every)) {
    const isTick = ticksOf(every);
    const due: Date[] = [];
    const start = Math.max(atMinute(from), atMinute(now) - horizon * minuteMs);
    for (let time = start; time <= now.getTime(); time += minuteMs) {
      if (isTick(new Date(time))) due.push(new Date(time));
    }
    return { due, next: nextOf(every, now) };
  }
  const step = every.minutes * minuteMs;
  const count = Math.max(1, Math.floor((now.getTime() - from.getTime()) / step) + 1);
  const next = new Date(from.getTime() + count * step);
  const kept = Math.min(count, Math.ceil(horizon / every.minutes));
  const due = Array.from({ length: kept }, (_, index) => new Date(next.getTime() - (kept - index) * step));
  return { due, next };
}

function nextOf(every: Extract<Cadence, { cron: string }>, now: Date): Date {
  const isTick = ticksOf(every);
  const start = atMinute(now);
  for (let ahead = 1; ahead < horizon; ahead += 1) {
    const time = new Date(start + ahead * minuteMs);
    if (isTick(time)) return time;
  }
  return new Date(start + horizon * minuteMs);
}
