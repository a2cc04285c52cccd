import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type Due, due } from '../store/due.ts';
import type { Db } from '../store/tables.ts';
import { every } from './every.ts';

/** What rounds are made for. */
export type Cause = Exclude<keyof Due, 'teamId'>;

export interface Clock {
  /**
   * Does something at once, and then whenever there is a cause for it in a workspace (null: in any), about once a second.
   * One round at a time; `stop` waits for the one under way.
   */
  on(teamId: string | null, cause: Cause, round: () => Promise<void>): { stop(): Promise<void> };
  stop(): Promise<void>;
}

interface Watcher {
  readonly teamId: string | null;
  readonly cause: Cause;
  go(): void;
}

/** Milliseconds between looks. */
export const lookMs = 1_000;

/** The one clock of a process: a statement a second asks for all that there may be to do, however much it cares for. */
export function startClock({ db, now, log }: { db: Db; now: () => Date; log: Log }): Clock {
  const watchers = new Set<Watcher>();
  const loop = every(lookMs, look, log);

  async function look(): Promise<void> {
    const teams = new Set([...watchers].flatMap(({ teamId }) => teamId ?? []));
    // A workspace that the bot was removed from is served until its last run has ended, so nothing waits for this.
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
