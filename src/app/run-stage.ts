import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { startReads, startRun } from '../run/start.ts';
import type { Stages } from '../stages.ts';
import * as processes from '../store/processes.ts';
import { offer } from '../store/run-announcements.ts';
import * as runs from '../store/runs.ts';
import type { TeamDb } from '../store/tables.ts';

/** How a stored run is started: in this process, or by offering it to another. */
export interface Starter {
  start(runId: string): Promise<void>;
  /** True while no process has it and none is there to take it. */
  isWaiting(runId: string): Promise<boolean>;
}

/** For a process without a runner: an executor with free capacity takes it. */
export function offering({ db, teamId }: TeamDb): Starter {
  return {
    start: (runId) => offer(db, { teamId, runId }),
    async isWaiting(runId) {
      const run = await runs.get(db, { teamId, runId });
      if (run?.state !== 'running' || run.executor !== null) return false;
      // If one is up, the run only waits for its turn.
      return !(await processes.living(db)).some((one) => one.teamId === teamId && one.role !== 'front');
    },
  };
}

export function runStage(
  { db, teamId, log }: TeamDb & { readonly log: Log },
  { start, isWaiting }: Starter,
): Stages['run'] {
  // The process may end meanwhile.
  const sleep = (ms: number) => pause(ms, undefined, { ref: false });
  return {
    read: (run, say) =>
      startReads(
        run,
        {
          ...{ start, sleep, log },
          isRunning: async (runId) => (await runs.get(db, { teamId, runId }))?.state === 'running',
        },
        say,
      ),
    start: (run, say) => startRun(run, { start, isWaiting, sleep, log }, say),
  };
}
