import { DBOS } from '@dbos-inc/dbos-sdk';
import { interleaved } from '../core/turns.ts';
import { abandon } from './end.ts';
import { entered } from './entered.ts';
import type { ExecutorLock, ExecutorProcess, OpenRun, RunnerDeps } from './ports.ts';

/** Takeovers of one run after which it is closed: it takes down every process that touches it. */
const maxTakeovers = 20;

interface Engine {
  readonly deps: RunnerDeps;
  readonly executor: ExecutorProcess;
  readonly lock: ExecutorLock;
  /** `times`: how often it was taken over. */
  start(teamId: string, runId: string, times: number): Promise<unknown>;
  /** How many runs could begin now. */
  free(): number;
}

interface EngineRow {
  readonly id: string;
  readonly status: string;
  readonly executorId: string;
}

/**
 * Goes on with runs that nobody goes on with: those of dead processes, those that were stored and never started, and
 * those that broke. Whatever version of the bot began them: all there is to know stands in the tables. A run that the
 * engine does not work on may be about to be started, so it is left alone until the next look.
 */
export function lookAfter(engine: Engine): () => Promise<void> {
  let seen = new Set<string>();
  return async () => {
    await takeOverDead(engine);
    const open = await engine.deps.store.openRuns();
    const rows = await engineRows({ workflowIDs: open.map(({ id }) => id) });
    const underWay = new Set(rows.filter(({ status }) => status === 'PENDING').map(({ id }) => id));
    const idle = open.filter(({ id }) => !underWay.has(id));
    const [before, name] = [seen, ({ id, entered: times }: OpenRun) => `${id}:${times}`];
    seen = new Set(idle.map(name));
    const left = idle.filter((run) => before.has(name(run)));
    // The rest is for processes that have room, or for the next look.
    await reenter(engine, interleaved(left, ({ teamId }) => teamId).slice(0, engine.free()));
  };
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
async function reenter({ deps, executor, start }: Engine, open: readonly OpenRun[]): Promise<void> {
  // Those of a workspace that only others know are theirs.
  const runs = open.filter(({ teamId }) => deps.workOf(teamId) !== null);
  if (runs.length === 0) return;
  const claimed = await deps.store.claim(runs, executor.id);
  if (claimed.length === 0) return;
  await DBOS.deleteWorkflows(claimed.map(({ id }) => id));
  for (const { teamId, id, entered: times } of claimed) {
    const work = deps.workOf(teamId);
    if (times <= maxTakeovers || work === null) await start(teamId, id, times);
    else await abandon(work, entered(executor, work, times), { teamId, runId: id });
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
