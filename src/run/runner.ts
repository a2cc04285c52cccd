import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { catalogueDigest } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import { policyDigest } from '../core/policy.ts';
import type { RunOutcome } from '../core/run.ts';
import { fairTurns } from '../core/turns.ts';
import { LostRunError } from './journal.ts';
import { type Executor, entered, type RunKey, type RunnerDeps } from './ports.ts';
import { lookAfter } from './takeover.ts';
import { runWorkflow } from './workflow.ts';

/** The same for ever: every version of the bot goes on with the runs of every other, from the tables. */
const workflowVersion = 'tables';
const lookAfterMs = 1_000;
/** Runs that are worked on at a time; those of one workspace, hanging or not, leave room for another's. */
const atATime = { max: 128, maxEach: 96 };

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
  const rules = { catalogue: catalogueDigest(deps.catalogue), policy: policyDigest(deps.policy) };
  const executor: Executor = { id: executorId, rules, ours };
  const early = new Map<string, ReturnType<RunnerDeps['store']['load']>>();
  const turns = fairTurns(atATime);
  const { around = (_run, work) => work() } = deps;
  /** Offered runs, which have waited for their turn already. */
  const inTurn = new Set<string>();
  let leaving = false;
  const work = (teamId: string, runId: string, times: number): Promise<RunOutcome> => {
    // Not begun, so it is free at once for whoever stays.
    if (leaving) return Promise.reject(new LostRunError(runId));
    const loading = early.get(runId);
    const key = { teamId, runId };
    return around(key, () => runWorkflow(deps, entered(executor, times), key, loading));
  };
  const plan = DBOS.registerWorkflow(
    (teamId: string, runId: string, times?: number): Promise<RunOutcome> => {
      const begin = () => work(teamId, runId, times ?? 0);
      return inTurn.has(runId) ? begin() : turns.take(teamId, begin);
    },
    { name: 'run' },
  );
  const lock = await deps.holdLock(executorId, deps.onLost);
  try {
    await launch(deps, executorId);
  } catch (error) {
    await lock.release();
    await deps.enginePool.end();
    throw error;
  }
  const start = async (teamId: string, runId: string, times: number) => {
    // Read while the engine notes the start. What it tells is looked at again before every write.
    const loading = deps.store.load({ teamId, runId });
    loading.catch(() => undefined);
    early.set(runId, loading);
    try {
      return await DBOS.startWorkflow(plan, { workflowID: runId })(teamId, runId, times);
    } finally {
      early.delete(runId);
    }
  };
  /** Everybody is told of it, and whoever has room and is first has it. */
  const offered = ({ teamId, runId }: RunKey): Promise<void> =>
    turns.take(teamId, async () => {
      if (leaving) return;
      const [ours] = await deps.store.claim([{ teamId, id: runId, entered: 0 }], executorId);
      if (ours === undefined) return;
      inTurn.add(runId);
      try {
        const run = await start(teamId, runId, ours.entered);
        await run.getResult();
      } finally {
        inTurn.delete(runId);
      }
    });
  await lock.onOffer((run) => {
    offered(run).catch((error: unknown) =>
      deps.log.warn({ ...run, ...describeError(error) }, 'An offered run failed; recovery will retry'),
    );
  });
  const engine = { deps, executor, lock, start, free: () => turns.free() };
  const care = deps.every(lookAfterMs, lookAfter(engine));
  return {
    executorId,
    start: async (teamId, runId) => void (await start(teamId, runId, 0)),
    finished: async (runId) =>
      (await DBOS.retrieveWorkflow<RunOutcome>(runId).getResult({ pollingIntervalMs: 50 })) ?? 'failed',
    async forget(runIds) {
      if (runIds.length > 0) await DBOS.deleteWorkflows([...runIds]);
    },
    async stop(graceMs = 5_000) {
      leaving = true;
      await care.stop();
      await DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs, deregister: true });
      left = true;
      await lock.release();
      if (!isEnded) await deps.enginePool.end();
      isEnded = true;
    },
  };
}

async function launch(
  { databaseUrl, enginePool, engineIsMigrated, log }: RunnerDeps,
  executorID: string,
): Promise<void> {
  const quiet = (entry: unknown): void => log.info({ entry: String(entry) }, 'run engine');
  const loud = (entry: unknown): void => log.warn({ entry: String(entry) }, 'run engine');
  DBOS.setConfig({
    name: 'countersign',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePool: enginePool,
    runMigrations: engineIsMigrated !== true,
    applicationVersion: workflowVersion,
    executorID,
    logger: { info: () => {}, debug: () => {}, warn: quiet, error: loud },
  });
  await DBOS.launch();
}
