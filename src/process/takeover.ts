import { type ListedRun, openRuns } from '../store/runs.ts';
import type { Db } from '../store/tables.ts';

/**
 * Resumes abandoned runs: those of dead processes, stored ones that were never taken, and those that broke off here. A
 * run that nobody has taken may be about to be, so it is left alone until the next pass. `begin` leaves a run alone that
 * is already active here or has another holder by then.
 */
export function takeOver(
  db: Db,
  processId: string,
  begin: (run: ListedRun) => Promise<unknown>,
): () => Promise<void> {
  let seen = new Set<string>();
  return async () => {
    const open = await openRuns(db);
    const idle = open.filter(({ holder }) => holder === null || holder === processId);
    const [before, name] = [seen, ({ runId, entered }: ListedRun) => `${runId}:${entered}`];
    seen = new Set(idle.map(name));
    for (const run of open) if (run.isLeft || before.has(name(run))) void begin(run);
  };
}
