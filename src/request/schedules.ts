import {
  atMinute,
  everyMinute,
  lookBackMinutes,
  minute,
  type Schedule,
  type Ticks,
  ticksBetween,
  ticksOf,
} from './ticks.ts';

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
  ticks: Ticks,
  ports: SchedulePorts<S>,
): Promise<void> {
  const last = await ports.lastTick(schedule);
  if (last === null) return;
  await announceLost(schedule, ports);
  const now = ports.now();
  const [newest, ...older] = ticksBetween(ticks, last, new Date(now.getTime() - minute)).reverse();
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
  const looks: NodeJS.Timeout[] = [];
  const timed = schedules.map((schedule) => ({ schedule, ticks: ticksOf(schedule) }));
  for (const { schedule, ticks } of timed) {
    const isNew = (await ports.lastTick(schedule)) === null;
    await announceMissed(schedule, ticks, ports);
    if (!isNew) looks.push(...lookAgain(schedule, ticks, ports));
  }
  const stop = everyMinute(ports.now, (since, now) => {
    for (const { schedule, ticks } of timed) {
      for (const tick of ticksBetween(ticks, since, now)) void atTick(schedule, tick, now, ports);
    }
  });
  return async () => {
    stop();
    for (const look of looks) clearTimeout(look);
    for (const { ticks } of timed) await ticks.destroy();
  };
}

/** A tick is due in its minute; what comes later, because the process was held up, is missed. */
async function atTick<S extends Schedule>(
  schedule: S,
  tick: Date,
  now: Date,
  ports: SchedulePorts<S>,
): Promise<void> {
  if (tick.getTime() === atMinute(now).getTime()) return runTick(schedule, tick, ports);
  await announceLate(schedule, tick, ports).catch((error: unknown) => ports.failed(schedule, tick, error));
}

/** Milliseconds in which whoever takes a tick has asked for something, on clocks that do not quite agree. */
const settledMs = 10_000;

/**
 * What a start cannot tell yet: whether the tick that was taken a moment ago was lost with its process, and whether
 * the tick of the minute in which it starts is taken by another process, or by none.
 */
function lookAgain<S extends Schedule>(schedule: S, ticks: Ticks, ports: SchedulePorts<S>): NodeJS.Timeout[] {
  const now = ports.now();
  const tick = atMinute(now);
  const after = (ms: number, look: () => Promise<void>) =>
    setTimeout(() => void look().catch((error: unknown) => ports.failed(schedule, tick, error)), ms);
  const looks = [after(settledMs, () => announceLost(schedule, ports))];
  if (!ticks.match(tick)) return looks;
  const untilOver = tick.getTime() + minute - now.getTime();
  return [...looks, after(untilOver + settledMs, () => announceLate(schedule, tick, ports))];
}

/** A tick that nobody took in its minute. */
async function announceLate<S extends Schedule>(
  schedule: S,
  tick: Date,
  ports: SchedulePorts<S>,
): Promise<void> {
  if (await ports.claim(schedule, tick, 'missed')) await ports.announce(schedule, [tick], 'missed');
}
