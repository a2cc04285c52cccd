import type { Message, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import * as processes from '../store/processes.ts';
import * as runs from '../store/runs.ts';
import type { Db, TeamDb } from '../store/tables.ts';

/** How a stored run is started: in this process, or by announcing it to others. */
export interface Starter {
  readonly isRemote: boolean;
  /** For one whose commit is just under way on this connection: begins right behind it, where that is possible. */
  startBehind(connection: Db, runId: string): Promise<void>;
  start(runId: string): Promise<void>;
}

export interface StartContext extends TeamDb {
  readonly starter: Starter;
  /** Waits for that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

interface StoredRun {
  readonly runId: string;
  readonly requestId: string;
}

/** Milliseconds after which the person waiting for an answer is told that it is in progress. */
const quickMs = 2_500;
/** Milliseconds after which the approver is told that no process is there to run it; a takeover would be over by then. */
const unattendedMs = 5_000;

/** Starts a stored run. A failed start is not reported: the next recovery pass, here or in another process, starts the run. */
export async function startRun(run: StoredRun, context: StartContext, say: Say): Promise<void> {
  const { starter, log } = context;
  await start(run, context);
  if (!starter.isRemote) return;
  void sayIfNobody(run.runId, context, say).catch((error: unknown) =>
    log.warn({ ...run, ...describeError(error) }, 'Could not say that nobody runs it'),
  );
}

/** Starts the reads of a plan without waiting for their end: the results are reported when they are stored. */
export async function startReads(run: StoredRun, context: StartContext, say: Say): Promise<void> {
  await start(run, context);
  void sayIfSlow(run.runId, context, say).catch((error: unknown) =>
    context.log.warn(
      { ...run, ...describeError(error) },
      'Could not tell the requester that the reads are slow',
    ),
  );
}

async function start(run: StoredRun, { starter, log }: StartContext): Promise<void> {
  try {
    await starter.start(run.runId);
  } catch (error) {
    log.warn({ ...run, ...describeError(error) }, 'Start failed; recovery will retry');
  }
}

async function sayIfNobody(runId: string, context: StartContext, say: Say): Promise<void> {
  await context.sleep(unattendedMs);
  if (!(await isUnattended(runId, context))) return;
  context.log.error({ runId }, 'No executor is up: a run waits');
  await say(nobodyRuns());
}

/** True while no process has it and none is there to take it. */
async function isUnattended(runId: string, { db, teamId }: StartContext): Promise<boolean> {
  const run = await runs.get(db, { teamId, runId });
  if (run?.state !== 'running' || run.executor !== null) return false;
  // If one is up, the run only waits for its turn.
  return !(await processes.living(db)).some((one) => one.teamId === teamId && one.role !== 'front');
}

async function sayIfSlow(runId: string, { db, teamId, sleep }: StartContext, say: Say): Promise<void> {
  await sleep(quickMs);
  const run = await runs.get(db, { teamId, runId });
  if (run?.state === 'running') await say(stillReading());
}

function nobodyRuns(): Message {
  return titled('Nothing has been sent yet.', [
    'No executor of mine is running. The plan starts as soon as one is; tell whoever operates me.',
  ]);
}

function stillReading(): Message {
  return titled('Working on it.', ['Some lookups are taking longer than usual. The answer will follow.']);
}
