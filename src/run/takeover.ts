import { DBOS } from '@dbos-inc/dbos-sdk';
import { abandon } from './end.ts';
import type { Executor, ExecutorLock, OpenRun, RunnerDeps } from './ports.ts';

/** A run that was stored or taken over this long ago and that nobody goes on with was left by its process. */
const orphanMs = 1_000;
/** Takeovers of one run after which it is closed: it takes down every process that touches it. */
const maxTakeovers = 20;

interface Engine {
  readonly deps: RunnerDeps;
  readonly executor: Executor;
  readonly lock: ExecutorLock;
  start(teamId: string, runId: string): Promise<void>;
}

interface EngineRow {
  readonly id: string;
  readonly status: string;
  readonly executorId: string;
}

/**
 * Goes on with runs that nobody goes on with: those of dead processes, those that were stored and never started, and
 * those that broke. Whatever version of the bot began them: all there is to know stands in the tables.
 */
export async function lookAfter(engine: Engine): Promise<void> {
  await takeOverDead(engine);
  const { store, now } = engine.deps;
  const before = now().getTime() - orphanMs;
  const open = (await store.openRuns()).filter((run) => lastStart(run) < before);
  const rows = await engineRows({ workflowIDs: open.map(({ id }) => id) });
  const underWay = new Set(rows.filter(({ status }) => status === 'PENDING').map(({ id }) => id));
  await reenter(
    engine,
    open.filter(({ id }) => !underWay.has(id)),
  );
}

function lastStart({ startedAt, claimedAt }: OpenRun): number {
  return (claimedAt ?? startedAt).getTime();
}

/** Whoever gets the lock of a process that is gone goes on with its runs. */
async function takeOverDead(engine: Engine): Promise<void> {
  const { executor, lock, deps } = engine;
  const others = new Set((await engineRows({ status: 'PENDING' })).map(({ executorId }) => executorId));
  others.delete(executor.id);
  for (const dead of others) {
    if (!(await lock.tryTakeOver(dead))) continue;
    try {
      // Asked for again: another process may have taken them over and gone in between.
      const rows = await engineRows({ status: 'PENDING' });
      const left = new Set(rows.filter(({ executorId }) => executorId === dead).map(({ id }) => id));
      const open = (await deps.store.openRuns()).filter(({ id }) => left.has(id));
      const over = left.difference(new Set(open.map(({ id }) => id)));
      if (over.size > 0) await DBOS.deleteWorkflows([...over]);
      await reenter(engine, open);
      deps.log.info({ executor: dead, runs: open.length }, 'took over the runs of a process that is gone');
    } finally {
      await lock.letGo(dead);
    }
  }
}

/**
 * Starts runs anew in this process. They are claimed first, by one process only: from then on whoever had them may
 * not act in them. What the engine keeps of them is of no use, for the tables are the checkpoint, and goes.
 */
async function reenter({ deps, executor, start }: Engine, runs: readonly OpenRun[]): Promise<void> {
  if (runs.length === 0) return;
  const claimed = await deps.store.claim(runs, executor.id, deps.now());
  if (claimed.length === 0) return;
  await DBOS.deleteWorkflows(claimed.map(({ id }) => id));
  for (const { teamId, id, entered } of claimed) {
    if (entered > maxTakeovers) await abandon(deps, executor, { teamId, runId: id });
    else await start(teamId, id);
  }
}

async function engineRows(filter: { workflowIDs?: string[]; status?: 'PENDING' }): Promise<EngineRow[]> {
  if (filter.workflowIDs?.length === 0) return [];
  const found = await DBOS.listWorkflows({ ...filter, loadInput: false, loadOutput: false });
  return found.map(({ workflowID: id, status, executorId }) => ({
    id,
    status,
    executorId: executorId ?? '',
  }));
}
