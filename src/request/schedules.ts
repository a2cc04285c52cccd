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

/** A tick that was taken by a process which then died. Marked already, so the report says it only once however often. */
async function announceLost<S extends Schedule>(schedule: S, ports: SchedulePorts<S>): Promise<void> {
  const lost = await ports.lostTick(schedule);
  if (lost !== null && ports.now().getTime() - lost.getTime() < lookBackMinutes * minute) {
    await ports.announce(schedule, [lost], 'missed');
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
  await announceLost(schedule, ports);
  const now = ports.now();
  const [oldest, ...newer] = ticksBetween(task, last, new Date(now.getTime() - minute));
  // Processes that start together see the same oldest tick: who takes it speaks for all of them.
  if (oldest === undefined || !(await ports.claim(schedule, oldest, 'missed'))) return;
  const missed = [oldest];
  for (const tick of newer) {
    if (await ports.claim(schedule, tick, 'missed')) missed.push(tick);
  }
  await ports.announce(schedule, missed, 'missed');
}

/** Starts every schedule. Resolves with a function that stops them. */
export async function startSchedules<S extends Schedule>(
  schedules: readonly S[],
  ports: SchedulePorts<S>,
): Promise<() => Promise<void>> {
  const tasks: ScheduledTask[] = [];
  const looks: NodeJS.Timeout[] = [];
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
    const isNew = (await ports.lastTick(schedule)) === null;
    await announceMissed(schedule, task, ports);
    await task.start();
    if (!isNew) looks.push(...lookAgain(schedule, task, ports));
  }
  return async () => {
    for (const look of looks) clearTimeout(look);
    for (const task of tasks) await task.destroy();
  };
}

/** Milliseconds in which whoever takes a tick has asked for something, on clocks that do not quite agree. */
const settledMs = 10_000;

/**
 * What a start cannot tell yet: whether the tick that was taken a moment ago was lost with its process, and whether
 * the tick of the minute in which it starts is taken by another process, or by none.
 */
function lookAgain<S extends Schedule>(
  schedule: S,
  task: Pick<ScheduledTask, 'match'>,
  ports: SchedulePorts<S>,
): NodeJS.Timeout[] {
  const now = ports.now();
  const tick = atMinute(now);
  const after = (ms: number, look: () => Promise<void>) =>
    setTimeout(() => void look().catch((error: unknown) => ports.failed(schedule, tick, error)), ms);
  const looks = [after(settledMs, () => announceLost(schedule, ports))];
  if (!task.match(tick)) return looks;
  const untilOver = tick.getTime() + minute - now.getTime();
  return [...looks, after(untilOver + settledMs, () => announceLate(schedule, tick, 'missed', ports))];
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
