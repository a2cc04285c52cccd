import { sql } from 'kysely';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Db } from '../store/tables.ts';
import { type Due, due } from './due.ts';
import { every } from './repeat.ts';

/** Reasons to run a round. */
export type DueKind = Exclude<keyof Due, 'teamId'>;

export interface Clock {
  /**
   * Runs `round` at once, and then whenever a workspace (null: any) has a cause for it, checked about once a second.
   * One round at a time; `stop` waits for the current one.
   */
  on(teamId: string | null, cause: DueKind, round: () => Promise<void>): { stop(): Promise<void> };
  stop(): Promise<void>;
}

interface Watcher {
  readonly teamId: string | null;
  readonly cause: DueKind;
  go(): void;
}

/** Milliseconds between checks. */
export const lookMs = 1_000;

/** The single clock of a process: one statement a second checks for all possible work, however many rounds are registered. */
export function startClock({ db, now, log }: { db: Db; now: () => Date; log: Log }): Clock {
  const watchers = new Set<Watcher>();
  const loop = every(lookMs, look, log);

  async function look(): Promise<void> {
    const teams = new Set([...watchers].flatMap(({ teamId }) => teamId ?? []));
    // A workspace is served until its last run has ended, even after the bot was removed, so nothing waits for this.
    if (teams.size === 0) return;
    const found = await due(db, [...teams], now());
    for (const { teamId, cause, go } of watchers) {
      if (found.some((one) => one[cause] && (teamId === null || one.teamId === teamId))) go();
    }
  }

  return {
    on(teamId, cause, round) {
      let underWay: Promise<void> | null = null;
      const go = () => {
        underWay ??= round()
          .catch((error: unknown) => log.warn({ ...describeError(error), cause }, 'Background task failed'))
          .finally(() => {
            underWay = null;
          });
      };
      const watcher = { teamId, cause, go };
      watchers.add(watcher);
      go();
      return {
        async stop() {
          watchers.delete(watcher);
          await underWay;
        },
      };
    },
    stop: () => loop.stop(),
  };
}

/** The database's time, shared by all its processes. */
export interface SharedTime {
  now(): Date;
  /** Reads the database's time again: machine clocks drift and get adjusted. */
  compare(): Promise<void>;
}

/**
 * Processes compare each other's timestamps: the start of a write, the end of a lease, a due time. Clocks of two
 * machines may differ by any amount, so nobody uses their own. The error of the measured offset is the database's
 * response time; only an offset beyond that is corrected, so on a single machine nothing is.
 */
export async function sharedTime(db: Db, machine: () => Date): Promise<SharedTime> {
  let aheadMs = 0;
  async function compare(): Promise<void> {
    const asked = machine().getTime();
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db);
    const answered = machine().getTime();
    for (const { time } of rows)
      aheadMs = Math.min(Math.max(aheadMs, time.getTime() - answered), time.getTime() - asked);
  }
  await compare();
  return { now: () => new Date(machine().getTime() + aheadMs), compare };
}
