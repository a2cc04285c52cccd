import type { OpenRun, RunnerDeps } from './ports.ts';

interface Work {
  readonly store: Pick<RunnerDeps['store'], 'openRuns'>;
  readonly executorId: string;
  /** Leaves a run alone that is already active here or has another holder by then. */
  begin(run: OpenRun): Promise<unknown>;
}

/**
 * Resumes abandoned runs: those of dead processes, stored ones that were never taken, and those that broke off here. A
 * run that nobody has taken may be about to be, so it is left alone until the next pass.
 */
export function lookAfter({ store, executorId, begin }: Work): () => Promise<void> {
  let seen = new Set<string>();
  return async () => {
    const open = await store.openRuns();
    const idle = open.filter(({ holder }) => holder === null || holder === executorId);
    const [before, name] = [seen, ({ runId, entered }: OpenRun) => `${runId}:${entered}`];
    seen = new Set(idle.map(name));
    for (const run of open) if (run.isLeft || before.has(name(run))) void begin(run);
  };
}
