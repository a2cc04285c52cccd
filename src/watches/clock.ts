import { sortRows } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import { fairTurns } from '../core/fair-queue.ts';
import { jsonOf } from '../core/json.ts';
import { isConditional, maxAlikeChecks, type Watch } from '../core/watch.ts';
import type { WatchRow } from '../store/tables.ts';
import { watchReader } from '../store/watch-rows.ts';
import * as ticks from '../store/watch-ticks.ts';
import * as watches from '../store/watches.ts';
import type { WatchContext } from './context.ts';
import { endWatch } from './end.ts';
import { dueTicks, minuteMs } from './next-tick.ts';
import { commandOf } from './schedules.ts';
import { checksMissed } from './words.ts';

/** A watch is due for a check. */
export interface TickEvent {
  readonly type: 'tick';
  readonly key: string;
  /** Id of the watch. */
  readonly watch: string;
}

export function checkEvent(watch: string, key: string): TickEvent {
  return { type: 'tick', key, watch };
}

function tickKey(id: string, tick: Date): string {
  return `watch:${id}:${tick.toISOString()}`;
}

/** The process that claims due checks. */
export interface Checker {
  /** Id of this process. */
  readonly executor: string;
  /** Runs a claimed check. */
  check(event: TickEvent): Promise<void>;
}

/** Maximum delay of a check for watches that act or report at fixed times, whatever they find. */
const lateMs = 5 * minuteMs;
/** Milliseconds before a damaged watch is read again. */
const putOffMs = 3_600_000;

/** Checks of a process. */
export interface Checks {
  /** Starts the checks that are due, as far as there is room for them; does not wait for them. */
  startDue(): Promise<void>;
  /** Resolves when no check is under way or waits for its turn. */
  idle(): Promise<void>;
  /** Starts no more. */
  stop(): void;
}

/**
 * Every due watch is checked once, whatever the number of processes. Of ticks missed during downtime, the newest is
 * made up for, but only by plans that decide themselves whether it matters, and by a report; the rest are reported as
 * missed. Watches that read the same systems take turns among themselves, so a system that hangs delays no others. One is claimed when
 * its turn comes: until then another process may.
 */
export function openChecks(checker: Checker, context: WatchContext): Checks {
  const { db, teamId, damaged, log } = context;
  const turns = fairTurns({ max: Number.POSITIVE_INFINITY, maxEach: maxAlikeChecks });
  const known = new Map<string, Promise<void>>();
  let isStopped = false;

  async function take(watch: Watch): Promise<void> {
    if (isStopped) return;
    try {
      await claim(watch, context.now(), checker, context);
    } catch (error) {
      log.warn({ watch: watch.id, ...describeError(error) }, 'A watch could not be taken');
    }
  }

  return {
    async startDue() {
      const now = context.now();
      const due = await ticks.due(db, teamId, { now, except: [...known.keys()] });
      const rows = sortRows(due, watchReader, damaged);
      for (const row of rows.damaged) await putAside(row, now, context);
      for (const watch of rows.sound) {
        const systems = systemsOf(watch, context);
        const done = turns.take(systems, () => take(watch)).finally(() => known.delete(watch.id));
        known.set(watch.id, done);
      }
    },
    async idle() {
      while (known.size > 0) await Promise.all(known.values());
    },
    stop() {
      isStopped = true;
    },
  };
}

/** The systems that a check reads, as one word; all that are not planned yet are alike. */
function systemsOf({ plan }: Watch, { manifests }: WatchContext): string {
  const systems = (plan?.steps ?? []).flatMap(({ tool }) => manifests.get(tool) ?? []);
  const read = systems.filter(({ effect }) => effect === 'read').map(({ system }) => system);
  return [...new Set(read)].sort().join(' ');
}

/** A damaged watch must not take the place of others; it still ends on time. */
async function putAside({ id, until }: WatchRow, at: Date, { db, teamId }: WatchContext): Promise<void> {
  if (until === null || until > at)
    return ticks.putOff(db, { teamId, id, until: new Date(at.getTime() + putOffMs) });
  await watches.end(db, { teamId, id, at, by: 'system', reason: reachedEnd, messages: [] });
}

const reachedEnd = 'It reached its end date.';

/** Figures are wanted late, too; what acts at its time may be wrong later. */
function makesUp(watch: Watch, manifests: WatchContext['manifests']): boolean {
  return commandOf(watch)?.kind === 'report' || (watch.plan !== null && isConditional(watch.plan, manifests));
}

async function claim(
  watch: Watch,
  now: Date,
  { executor, check }: Checker,
  context: WatchContext,
): Promise<void> {
  const { db, teamId, reporting, manifests } = context;
  const { id, until, every, nextAt } = watch;
  if (until !== null && until <= now) {
    await endWatch(watch, { by: 'system', reason: reachedEnd }, context);
    return;
  }
  const { due, next } = dueTicks(every, nextAt, now);
  const newest = due.at(-1) ?? null;
  const isLate = newest !== null && now.getTime() - newest.getTime() > lateMs;
  const tick = isLate && !makesUp(watch, manifests) ? null : newest;
  const missed = tick === null ? due : due.slice(0, -1);
  const last = missed.at(-1);
  const messages =
    last === undefined
      ? []
      : [
          reporting.toWatch(teamId, id, 'reply', {
            key: `${tickKey(id, last)}:missed`,
            message: checksMissed(watch, missed, tick !== null),
          }),
        ];
  const event = tick && checkEvent(id, tickKey(id, tick));
  const isClaimed = await ticks.claim(db, {
    ...{ watch: { teamId, id, nextAt }, next, missed, messages, executor, now },
    tick: tick && event && { at: tick, key: event.key, event: jsonOf(event) },
  });
  if (!isClaimed) return;
  if (messages.length > 0) reporting.kick();
  if (event !== null) await check(event);
}
