import { createTask, type ScheduledTask } from 'node-cron';

/** A schedule as the operator wrote it. */
export interface Schedule {
  readonly name: string;
  /** Five fields. */
  readonly cron: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Which minutes are ticks of a schedule. */
export type Ticks = Pick<ScheduledTask, 'match'>;

/** How far back a start looks for ticks that nobody took. */
export const lookBackMinutes = 7 * 24 * 60;
export const minute = 60_000;

export function atMinute(date: Date): Date {
  return new Date(Math.floor(date.getTime() / minute) * minute);
}

/** Ticks of a schedule after `since` and not after `until`, oldest first, looking back a week at most. */
export function ticksBetween(schedule: Ticks, since: Date, until: Date): Date[] {
  const ticks: Date[] = [];
  const end = atMinute(until).getTime();
  const start = Math.max(atMinute(since).getTime(), end - lookBackMinutes * minute);
  for (let time = start + minute; time <= end; time += minute) {
    if (schedule.match(new Date(time))) ticks.push(new Date(time));
  }
  return ticks;
}

/**
 * The minutes of a schedule. The library says which they are and never runs: its timers leave out an hour when clocks
 * go back. Of a time of day that then comes twice, a schedule with hours of its own has the first.
 */
export function ticksOf({ cron, timezone, name }: Schedule): Ticks & Pick<ScheduledTask, 'destroy'> {
  const task = createTask(cron, () => undefined, { timezone, name });
  const byTheHour = cron.trim().split(/\s+/)[1]?.includes('*') === true;
  const wall = new Intl.DateTimeFormat('en', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const isRepeated = (date: Date) => wall.format(date) === wall.format(date.getTime() - 60 * minute);
  return {
    match: (date) => task.match(date) && (byTheHour || !isRepeated(date)),
    destroy: () => task.destroy(),
  };
}

/** Calls `work` when a minute begins, with the time when it last did. The result stops it. */
export function everyMinute(clock: () => Date, work: (since: Date, now: Date) => void): () => void {
  let since = clock();
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(beat, minute - (clock().getTime() % minute));
  };
  const beat = (): void => {
    const now = clock();
    work(since, now);
    // Also when the clock was set back: what was taken is not taken again.
    since = now;
    wait();
  };
  wait();
  return () => clearTimeout(timer);
}
