import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { describeError } from '../core/errors.ts';
import type { RunOutcome } from '../core/run.ts';
import { launch, registerRuns } from './engine.ts';
import type { ExecutorProcess, RunnerDeps } from './ports.ts';
import { lookAfter } from './takeover.ts';

const lookAfterMs = 1_000;

/** Runs granted plans, each once, whatever happens to the process. One per process: DBOS is a singleton. */
export interface Runner {
  /** Identity of this process among those that share the database. */
  readonly executorId: string;
  /** Starts a stored run; resolves when it is certain to go on. Starting it again changes nothing. */
  start(teamId: string, runId: string): Promise<void>;
  /** Resolves when the run has ended, in whatever process. */
  finished(runId: string): Promise<RunOutcome>;
  /** Removes what the engine keeps about runs that have ended and that nobody asks for any more. */
  forget(runIds: readonly string[]): Promise<void>;
  /** Lets running steps end for at most `graceMs`, then leaves the rest to other processes or the next start. */
  stop(graceMs?: number): Promise<void>;
}

/** Builds and launches the runner: lock first, then the engine, then the care for runs of processes that are gone. */
export async function createRunner(deps: RunnerDeps): Promise<Runner> {
  const executorId = randomUUID();
  // What is under way when a stop runs out of patience goes on in the dark, while others take it over: it must not
  // reach a write any more, so it waits for the end of the process.
  let left = false;
  let isEnded = false;
  const ours = (): Promise<void> => (left ? new Promise<never>(() => {}) : Promise.resolve());
  const executor: ExecutorProcess = { id: executorId, ours };
  const engine = registerRuns(deps, executor);
  const lock = await deps.holdLock(executorId, deps.onLost);
  try {
    await launch(deps, executorId);
  } catch (error) {
    await lock.release();
    await deps.enginePool.end();
    throw error;
  }
  await lock.onOffer((run) => {
    engine
      .offered(run)
      .catch((error: unknown) =>
        deps.log.warn({ ...run, ...describeError(error) }, 'An offered run failed; recovery will retry'),
      );
  });
  const care = deps.every(lookAfterMs, lookAfter({ deps, executor, lock, ...engine }));
  return {
    executorId,
    start: async (teamId, runId) => void (await engine.start(teamId, runId, 0)),
    finished: async (runId) =>
      (await DBOS.retrieveWorkflow<RunOutcome>(runId).getResult({ pollingIntervalMs: 50 })) ?? 'failed',
    async forget(runIds) {
      if (runIds.length > 0) await DBOS.deleteWorkflows([...runIds]);
    },
    async stop(graceMs = 5_000) {
      engine.leave();
      await care.stop();
      await DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs, deregister: true });
      left = true;
      await lock.release();
      if (!isEnded) await deps.enginePool.end();
      isEnded = true;
    },
  };
}
