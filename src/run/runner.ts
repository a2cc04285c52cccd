import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../core/errors.ts';
import { fairTurns } from '../core/fair-queue.ts';
import type { RunOutcome } from '../core/run.ts';
import { holdExecutorLock } from '../process/lock.ts';
import { takeOver } from '../process/takeover.ts';
import { type Taken, take } from '../store/load-run.ts';
import type { OpenRun, RunKey } from '../store/runs.ts';
import type { Db } from '../store/tables.ts';
import type { RunnerDeps, WorkDeps } from './context.ts';
import { abandon } from './end.ts';
import { LostRunError } from './journal.ts';
import { runWorkflow } from './workflow.ts';

/** Concurrent runs; a single workspace, even with hanging runs, leaves slots for others. */
const atATime = { max: 128, maxEach: 96 };
/** A run entered more often than this takes down every process that touches it, so it is closed. */
const maxEntries = 21;

/** Runs approved plans, each once, whatever happens to the process: all state is in the tables. */
export interface Runner {
  /** Identifies this process among those that share the database. */
  readonly executorId: string;
  /**
   * Executes a stored run when its turn comes, unless another process has it. Never rejects: resolves with the outcome,
   * or with null when it did not end here.
   */
  run(key: RunKey): Promise<RunOutcome | null>;
  /**
   * The same for a run whose commit is just under way on this connection: it is taken right behind it. Resolves when that
   * is answered. Does nothing where it would have to wait for its turn.
   */
  takeBehind(connection: Db, key: RunKey): Promise<void>;
  /** Resolves when no run here uses these parts any more. */
  endedWith(work: WorkDeps): Promise<void>;
  /** Lets running steps finish for at most `graceMs`, then leaves the rest to other processes or the next start. */
  stop(graceMs?: number): Promise<void>;
}

/** Takes the lock first, then announced runs, then the runs of dead processes. */
export async function createRunner(deps: RunnerDeps): Promise<Runner> {
  const executorId = randomUUID();
  const work = worker(deps, executorId);
  const lock = await holdExecutorLock(deps.databaseUrl, executorId, deps.onLost);
  await lock.onAnnounced((key) => void work.begin({ ...key, entered: 0 }));
  const care = deps.whileOpen(takeOver(deps.db, executorId, work.begin));
  return {
    executorId,
    run: (key) => work.begin({ ...key, entered: 0 }),
    takeBehind: (connection, key) => work.takeBehind(connection, { ...key, entered: 0 }),
    endedWith: work.endedWith,
    async stop(graceMs = 5_000) {
      const ended = work.leave();
      await care.stop();
      await Promise.race([ended, pause(graceMs, undefined, { ref: false })]);
      work.left();
      await lock.release();
    },
  };
}

/** The runs this process executes. */
function worker(deps: RunnerDeps, executorId: string) {
  const turns = fairTurns(atATime);
  const underWay = new Map<string, Promise<RunOutcome | null>>();
  const using = new WeakMap<WorkDeps, Set<Promise<unknown>>>();
  let isLeaving = false;
  // Work still running when a stop times out continues unseen while others take it over. It must not reach a write any
  // more, so it blocks until the process ends.
  let isLeft = false;
  const owned = (): Promise<void> => (isLeft ? new Promise<never>(() => {}) : Promise.resolve());

  async function enter(run: OpenRun, claim: () => Promise<Taken | null>): Promise<RunOutcome | null> {
    const work = deps.workOf(run.teamId);
    // Not started, so it is free at once for a process that stays, or that serves its workspace.
    if (isLeaving || work === null) return null;
    const ended = claim().then((taken) => taken && goOn(work, run, taken));
    const users = using.get(work) ?? new Set();
    using.set(work, users.add(ended));
    return ended.finally(() => users.delete(ended));
  }

  function goOn(work: WorkDeps, { teamId, runId }: OpenRun, { entered, stored }: Taken): Promise<RunOutcome> {
    const key = { teamId, runId };
    const executor = { id: `${executorId}:${entered}`, owned };
    if (entered > maxEntries) return abandon(work, executor, key);
    const { around = (_run, goOn) => goOn() } = work;
    return around(key, () => runWorkflow(work, executor, key, stored));
  }

  function brokeOff({ teamId, runId }: OpenRun, error: unknown): null {
    if (error instanceof LostRunError) return null;
    deps.log.warn({ teamId, runId, ...describeError(error) }, 'A run broke off; recovery will go on with it');
    return null;
  }

  const ownClaim = (run: OpenRun) => () => take(deps.db, run, executorId);
  return {
    async takeBehind(connection: Db, run: OpenRun): Promise<void> {
      if (!turns.isFree(run.teamId) || underWay.has(run.runId)) return;
      const answered = Promise.withResolvers<void>();
      const claim = () => take(connection, run, executorId).finally(answered.resolve);
      void this.begin(run, claim).finally(answered.resolve);
      await answered.promise;
    },
    begin(run: OpenRun, claim = ownClaim(run)): Promise<RunOutcome | null> {
      const known = underWay.get(run.runId);
      if (known !== undefined) return known;
      const ended = turns
        .take(run.teamId, () => enter(run, claim))
        .catch((error: unknown) => brokeOff(run, error))
        .finally(() => underWay.delete(run.runId));
      underWay.set(run.runId, ended);
      return ended;
    },
    async endedWith(parts: WorkDeps): Promise<void> {
      await Promise.allSettled(using.get(parts) ?? []);
    },
    /** Starts nothing from now on; resolves when all started runs have ended. */
    async leave(): Promise<void> {
      isLeaving = true;
      await Promise.all(underWay.values());
    },
    left(): void {
      isLeft = true;
    },
  };
}
