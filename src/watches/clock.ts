import type { Message } from '../blocks/message.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import { isConditional, type Watch } from '../core/watch.ts';
import { type EndPort, endWatch } from './end.ts';
import { dueTicks, minuteMs } from './next-tick.ts';
import { looksMissed } from './words.ts';

export interface ClockPort extends Pick<EndPort, 'end'> {
  /** Watches due for a check. */
  due(now: Date): Promise<readonly Watch[]>;
  /** Claims a due tick, once across all processes; true when this one is to run the check. */
  claim(of: {
    readonly watch: Watch;
    readonly next: Date;
    readonly missed: readonly Date[];
    /** Null if a tick was only missed. */
    readonly tick: Date | null;
    readonly message: Message | null;
  }): Promise<boolean>;
  /** Runs a claimed check. */
  look(watch: Watch, tick: Date): Promise<void>;
  readonly manifests: () => ReadonlyMap<string, Manifest>;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum delay of a check for watches that act or report at fixed times, whatever they find. */
const lateMs = 5 * minuteMs;

/**
 * Every due watch is checked once, whatever the number of processes. Of ticks missed during downtime, the newest is
 * made up for, but only by plans that decide themselves whether it matters; the rest are reported as missed.
 */
export async function lookAtClock(port: ClockPort): Promise<void> {
  const now = port.now();
  for (const watch of await port.due(now)) {
    try {
      await take(watch, now, port);
    } catch (error) {
      port.log.warn({ watch: watch.id, ...describeError(error) }, 'A watch could not be taken');
    }
  }
}

async function take(watch: Watch, now: Date, port: ClockPort): Promise<void> {
  if (watch.until !== null && watch.until <= now) {
    await endWatch(watch, { by: 'system', reason: 'It reached its end date.' }, port);
    return;
  }
  const { due, next } = dueTicks(watch.every, watch.nextAt, now);
  const newest = due.at(-1) ?? null;
  const isLate = newest !== null && now.getTime() - newest.getTime() > lateMs;
  const makesUp = watch.plan !== null && isConditional(watch.plan, port.manifests());
  const tick = isLate && !makesUp ? null : newest;
  const missed = tick === null ? due : due.slice(0, -1);
  const message = missed.length === 0 ? null : looksMissed(watch, missed, tick !== null);
  if ((await port.claim({ watch, next, missed, tick, message })) && tick !== null)
    await port.look(watch, tick);
}
