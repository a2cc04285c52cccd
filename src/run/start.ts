import type { Message, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

export interface StartPort {
  start(runId: string): Promise<void>;
  /** True while no process holds it, and none that runs plans is up. */
  isWaiting(runId: string): Promise<boolean>;
  /** Waits for that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** Starts a stored run. A failed start is not reported: the next recovery pass, here or in another process, starts the run. */
export async function startRun(
  run: { runId: string; requestId: string },
  port: StartPort,
  say: Say,
): Promise<void> {
  try {
    await port.start(run.runId);
  } catch (error) {
    port.log.warn({ ...run, ...describeError(error) }, 'Start failed; recovery will retry');
  }
  void sayIfNobody(run.runId, port, say).catch((error: unknown) =>
    port.log.warn({ ...run, ...describeError(error) }, 'Could not say that nobody runs it'),
  );
}

/** Milliseconds after which the approver is told that no process is there to run it; a takeover would be over by then. */
const unattendedMs = 5_000;

async function sayIfNobody(runId: string, { isWaiting, sleep, log }: StartPort, say: Say): Promise<void> {
  await sleep(unattendedMs);
  if (!(await isWaiting(runId))) return;
  log.error({ runId }, 'No executor is up: a run waits');
  await say(nobodyRuns());
}

function nobodyRuns(): Message {
  return titled('Nothing has been sent yet.', [
    'No executor of mine is running. The plan starts as soon as one is; tell whoever operates me.',
  ]);
}

export interface ReadPort extends Pick<StartPort, 'start' | 'sleep' | 'log'> {
  /** True while it runs, here or in another process. */
  isRunning(runId: string): Promise<boolean>;
}

/** Milliseconds after which the person waiting for an answer is told that it is in progress. */
const quickMs = 2_500;

/** Starts the reads of a plan without waiting for their end: the results are reported when they are stored. */
export async function startReads(
  run: { runId: string; requestId: string },
  port: ReadPort,
  say: Say,
): Promise<void> {
  try {
    await port.start(run.runId);
  } catch (error) {
    port.log.warn({ ...run, ...describeError(error) }, 'Start failed; recovery will retry');
  }
  void sayIfSlow(run.runId, port, say).catch((error: unknown) =>
    port.log.warn(
      { ...run, ...describeError(error) },
      'Could not tell the requester that the reads are slow',
    ),
  );
}

async function sayIfSlow(runId: string, { isRunning, sleep }: ReadPort, say: Say): Promise<void> {
  await sleep(quickMs);
  if (await isRunning(runId)) await say(stillReading());
}

function stillReading(): Message {
  return titled('Working on it.', ['Some lookups are taking longer than usual. The answer will follow.']);
}
