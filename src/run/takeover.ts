import type { OpenRun, RunnerDeps } from './ports.ts';

interface Work {
  readonly store: Pick<RunnerDeps['store'], 'openRuns'>;
  readonly executorId: string;
  /** What is under way here or has another holder by then stays as it is. */
  begin(run: OpenRun): Promise<unknown>;
}

/**
 * Goes on with runs that nobody goes on with: those of dead processes, those that were stored and never taken, and
 * those that broke off here. What nobody has taken may be about to be, so it is left alone until the next look.
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
