import { interleaved } from '../core/turns.ts';
import type { ListedRun, OpenRun, RunnerDeps } from './ports.ts';

interface Work extends Pick<RunnerDeps, 'store' | 'workOf'> {
  readonly executorId: string;
  begin(run: OpenRun): Promise<unknown>;
  isUnderWay(runId: string): boolean;
  /** How many runs could begin now. */
  free(): number;
}

/**
 * Goes on with runs that nobody goes on with: those of dead processes, those that were stored and never taken, and
 * those that broke off here. What nobody has taken may be about to be, so it is left alone until the next look.
 */
export function lookAfter({ store, workOf, executorId, begin, isUnderWay, free }: Work): () => Promise<void> {
  let seen = new Set<string>();
  return async () => {
    const all = await store.openRuns();
    const open = all.filter(({ teamId, runId }) => !isUnderWay(runId) && workOf(teamId) !== null);
    const idle = open.filter(({ holder }) => holder === null || holder === executorId);
    const [before, name] = [seen, ({ runId, entered }: OpenRun) => `${runId}:${entered}`];
    seen = new Set(idle.map(name));
    const isFree = (run: ListedRun) => run.isLeft || before.has(name(run));
    // The rest is for processes that have room, or for the next look.
    for (const run of interleaved(open.filter(isFree), ({ teamId }) => teamId).slice(0, free())) {
      void begin(run);
    }
  };
}
