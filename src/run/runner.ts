import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { catalogueDigest } from '../core/catalogue.ts';
import { policyDigest } from '../core/policy.ts';
import type { RunOutcome } from '../core/run.ts';
import { abandon } from './end.ts';
import type { ExecutorLock, RunnerDeps } from './ports.ts';
import { takeOverDead, workflowStates } from './takeover.ts';
import { runWorkflow } from './workflow.ts';

/** Changed on purpose, when runs in flight could not go on with the new code; those are then left to the old one. */
const workflowVersion = '1';
const lookAfterMs = 1_000;
/** A run that was stored this long ago and that nobody started was left by a process that died in between. */
const orphanMs = 3_000;

/** States of a workflow that somebody goes on with. */
const underWay = new Set(['PENDING', 'ENQUEUED', 'DELAYED']);

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
  const rules = { catalogue: catalogueDigest(deps.catalogue), policy: policyDigest(deps.policy) };
  // What is under way when a stop runs out of patience goes on in the dark, while others take it over: it must not
  // reach a write any more, so it waits for the end of the process.
  let left = false;
  const ours = (): Promise<void> => (left ? new Promise<never>(() => {}) : Promise.resolve());
  const plan = DBOS.registerWorkflow(
    (teamId: string, runId: string): Promise<RunOutcome> =>
      runWorkflow(deps, { rules, ours }, { teamId, runId }),
    { name: 'run' },
  );
  const lock = await deps.holdLock(executorId, deps.onLost);
  try {
    await launch(deps, executorId);
  } catch (error) {
    await lock.release();
    throw error;
  }
  const start = async (teamId: string, runId: string): Promise<void> => {
    await DBOS.startWorkflow(plan, { workflowID: runId })(teamId, runId);
  };
  const care = lookAfter(deps, executorId, lock, start);
  return {
    executorId,
    start,
    finished: async (runId) =>
      (await DBOS.retrieveWorkflow<RunOutcome>(runId).getResult({ pollingIntervalMs: 50 })) ?? 'failed',
    async forget(runIds) {
      if (runIds.length > 0) await DBOS.deleteWorkflows([...runIds]);
    },
    async stop(graceMs = 5_000) {
      await care.stop();
      await DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs, deregister: true });
      left = true;
      await lock.release();
    },
  };
}

async function launch({ databaseUrl, engineIsMigrated, log }: RunnerDeps, executorID: string): Promise<void> {
  const quiet = (entry: unknown): void => log.info({ entry: String(entry) }, 'run engine');
  const loud = (entry: unknown): void => log.warn({ entry: String(entry) }, 'run engine');
  DBOS.setConfig({
    name: 'countersign',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: 10,
    runMigrations: engineIsMigrated !== true,
    // Set otherwise by a query into each new connection's first one, which pg warns about on stderr.
    systemDatabaseIdleTransactionTimeoutMs: 0,
    applicationVersion: workflowVersion,
    executorID,
    logger: { info: () => {}, debug: () => {}, warn: quiet, error: loud },
  });
  await DBOS.launch();
}

/** Every second: runs of dead processes, stored runs that nobody started, and runs that broke. */
function lookAfter(
  deps: RunnerDeps,
  executorId: string,
  lock: ExecutorLock,
  start: Runner['start'],
): { stop(): Promise<void> } {
  const { store, now, log } = deps;
  const round = async (): Promise<void> => {
    await takeOverDead(executorId, lock, log);
    const before = now().getTime() - orphanMs;
    const open = (await store.openRuns()).filter(({ startedAt }) => startedAt.getTime() < before);
    const states = await workflowStates(open.map(({ id }) => id));
    for (const { teamId, id } of open) {
      const state = states.get(id);
      if (state === undefined) await start(teamId, id);
      else if (!underWay.has(state)) await abandon(deps, { teamId, runId: id });
    }
  };
  return deps.every(lookAfterMs, round);
}
