import { DBOS, type WorkflowHandle } from '@dbos-inc/dbos-sdk';
import type { RunOutcome } from '../core/run.ts';
import { fairTurns } from '../core/turns.ts';
import { entered } from './entered.ts';
import { LostRunError } from './journal.ts';
import type { ExecutorProcess, RunKey, RunnerDeps } from './ports.ts';
import { runWorkflow } from './workflow.ts';

/** The same for ever: every version of the bot goes on with the runs of every other, from the tables. */
const workflowVersion = 'tables';
/** Runs that are worked on at a time; those of one workspace, hanging or not, leave room for another's. */
const atATime = { max: 128, maxEach: 96 };

/** Runs as the engine's workflows: started under their own id, in fair turns. */
export interface Engine {
  start(teamId: string, runId: string, times: number): Promise<WorkflowHandle<RunOutcome>>;
  /** A run that everybody was told of: whoever has room and is first has it. Resolves when it has ended. */
  offered(run: RunKey): Promise<void>;
  /** Runs that could begin at once. */
  free(): number;
  /** From here on nothing begins. */
  leave(): void;
}

/** Registers the one workflow that there is; it has to be known before the engine is launched. */
export function registerRuns(deps: RunnerDeps, executor: ExecutorProcess): Engine {
  const early = new Map<string, ReturnType<RunnerDeps['store']['load']>>();
  const turns = fairTurns(atATime);
  /** Offered runs, which have waited for their turn already. */
  const inTurn = new Set<string>();
  let leaving = false;

  function workOn(teamId: string, runId: string, times: number): Promise<RunOutcome> {
    const work = deps.workOf(teamId);
    // Not begun, so it is free at once for whoever stays, or knows its workspace.
    if (leaving || work === null) return Promise.reject(new LostRunError(runId));
    const loading = early.get(runId);
    const key = { teamId, runId };
    const { around = (_run, goOn) => goOn() } = work;
    return around(key, () => runWorkflow(work, entered(executor, work, times), key, loading));
  }

  const workflow = DBOS.registerWorkflow(
    (teamId: string, runId: string, times?: number): Promise<RunOutcome> => {
      const begin = () => workOn(teamId, runId, times ?? 0);
      return inTurn.has(runId) ? begin() : turns.take(teamId, begin);
    },
    { name: 'run' },
  );

  async function start(teamId: string, runId: string, times: number): Promise<WorkflowHandle<RunOutcome>> {
    // Read while the engine notes the start. What it tells is looked at again before every write.
    const loading = deps.store.load({ teamId, runId });
    loading.catch(() => undefined);
    early.set(runId, loading);
    try {
      return await DBOS.startWorkflow(workflow, { workflowID: runId })(teamId, runId, times);
    } finally {
      early.delete(runId);
    }
  }

  async function claim({ teamId, runId }: RunKey): Promise<void> {
    if (leaving || deps.workOf(teamId) === null) return;
    const [ours] = await deps.store.claim([{ teamId, id: runId, entered: 0 }], executor.id);
    if (ours === undefined) return;
    inTurn.add(runId);
    try {
      const run = await start(teamId, runId, ours.entered);
      await run.getResult();
    } finally {
      inTurn.delete(runId);
    }
  }

  return {
    start,
    offered: (run) => turns.take(run.teamId, () => claim(run)),
    free: () => turns.free(),
    leave() {
      leaving = true;
    },
  };
}

export async function launch(
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
