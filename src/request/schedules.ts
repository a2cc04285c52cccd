import { createTask, type ScheduledTask } from 'node-cron';

/** A schedule as the operator wrote it. */
export interface Schedule {
  readonly name: string;
  /** Five fields. */
  readonly cron: string;
  /** IANA time zone. */
  readonly timezone: string;
}

export interface SchedulePorts<S extends Schedule> {
  /** Takes a tick; true for exactly one of all processes. */
  claim(schedule: S, tick: Date, state: 'fired' | 'missed' | 'overlap'): Promise<boolean>;
  /** The newest tick that was taken, or null before the first. */
  lastTick(schedule: S): Promise<Date | null>;
  /** True while the plan of an earlier tick waits for a decision or runs. */
  isBusy(schedule: S): Promise<boolean>;
  /** The newest tick, when its process died before it had asked for anything; null otherwise. */
  lostTick(schedule: S): Promise<Date | null>;
  /** Plans and posts the card. */
  fire(schedule: S, tick: Date): Promise<void>;
  /** Tells the channel which ticks did not happen, and why. */
  announce(schedule: S, ticks: readonly Date[], why: 'missed' | 'overlap'): Promise<void>;
  /** A tick that failed; it must reach a person. */
  failed(schedule: S, tick: Date, error: unknown): Promise<void>;
  readonly now: () => Date;
}

/** How far back a start looks for ticks that nobody took. */
const lookBackMinutes = 7 * 24 * 60;
const minute = 60_000;

function atMinute(date: Date): Date {
  return new Date(Math.floor(date.getTime() / minute) * minute);
}

/** Ticks of `task` after `since` and not after `until`, oldest first, looking back a week at most. */
export function ticksBetween(task: Pick<ScheduledTask, 'match'>, since: Date, until: Date): Date[] {
  const ticks: Date[] = [];
  const end = atMinute(until).getTime();
  const start = Math.max(atMinute(since).getTime(), end - lookBackMinutes * minute);
  for (let time = start + minute; time <= end; time += minute) {
    if (task.match(new Date(time))) ticks.push(new Date(time));
  }
  return ticks;
}

/** One tick: once over all processes, and not while the plan of an earlier tick is still open. */
export async function runTick<S extends Schedule>(
  schedule: S,
  at: Date,
  ports: SchedulePorts<S>,
): Promise<void> {
  const tick = atMinute(at);
  try {
    const busy = await ports.isBusy(schedule);
    if (!(await ports.claim(schedule, tick, busy ? 'overlap' : 'fired'))) return;
    if (busy) await ports.announce(schedule, [tick], 'overlap');
    else await ports.fire(schedule, tick);
  } catch (error) {
    await ports.failed(schedule, tick, error);
  }
}

/** Ticks that no process took while none was running are marked and announced together, never replayed. */
export async function announceMissed<S extends Schedule>(
  schedule: S,
  task: Pick<ScheduledTask, 'match'>,
  ports: SchedulePorts<S>,
): Promise<void> {
  const last = await ports.lastTick(schedule);
  if (last === null) return;
  const now = ports.now();
  const lost = await ports.lostTick(schedule);
  // It is marked as taken, so nothing is claimed here: the report says the same thing only once.
  if (lost !== null && now.getTime() - lost.getTime() < lookBackMinutes * minute) {
    await ports.announce(schedule, [lost], 'missed');
  }
  const [newest, ...older] = ticksBetween(task, last, new Date(now.getTime() - minute)).reverse();
  // Processes that start together see the same newest tick: who takes it speaks for all of them, and whoever looks
  // while the rest is being taken finds nothing after it.
  if (newest === undefined || !(await ports.claim(schedule, newest, 'missed'))) return;
  const missed = [newest];
  for (const tick of older) {
    if (await ports.claim(schedule, tick, 'missed')) missed.unshift(tick);
  }
  await ports.announce(schedule, missed, 'missed');
}

/** Starts every schedule. Resolves with a function that stops them. */
export async function startSchedules<S extends Schedule>(
  schedules: readonly S[],
  ports: SchedulePorts<S>,
): Promise<() => Promise<void>> {
  const tasks: ScheduledTask[] = [];
  for (const schedule of schedules) {
    const { cron, timezone, name } = schedule;
    const task = createTask(cron, (context) => runTick(schedule, context.date, ports), {
      timezone,
      name,
      noOverlap: true,
    });
    task.on('execution:missed', (context) => announceLate(schedule, context.date, 'missed', ports));
    // The tick before is still being planned.
    task.on('execution:overlap', (context) => announceLate(schedule, context.date, 'overlap', ports));
    tasks.push(task);
    await announceMissed(schedule, task, ports);
    await task.start();
  }
  return async () => {
    for (const task of tasks) await task.destroy();
  };
}

/** A tick that came too late because the process was held up, or while the tick before is not done. */
async function announceLate<S extends Schedule>(
  schedule: S,
  at: Date,
  why: 'missed' | 'overlap',
  ports: SchedulePorts<S>,
): Promise<void> {
  const tick = atMinute(at);
  if (await ports.claim(schedule, tick, why)) await ports.announce(schedule, [tick], why);
}
