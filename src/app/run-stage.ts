import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { startReads, startRun } from '../run/start.ts';
import type { Stages } from '../stages.ts';
import { offer } from '../store/offers.ts';
import * as processes from '../store/processes.ts';
import * as runs from '../store/runs.ts';
import type { Books } from './books.ts';

/** How a stored run gets going: in this process, or in one that it is offered to. */
export interface Starter {
  start(runId: string): Promise<void>;
  /** True while nobody has it and nobody is there who could. */
  isWaiting(runId: string): Promise<boolean>;
}

/** For a process without a runner: whichever executor has room takes it. */
export function offering({ db, teamId }: Books): Starter {
  return {
    start: (runId) => offer(db, { teamId, runId }),
    async isWaiting(runId) {
      const run = await runs.get(db, { teamId, runId });
      if (run?.state !== 'running' || run.executor !== null) return false;
      // Where one is up, the run only waits for its turn.
      return !(await processes.living(db)).some((one) => one.teamId === teamId && one.role !== 'front');
    },
  };
}

export function runStage(
  { db, teamId, log }: Books & { readonly log: Log },
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
