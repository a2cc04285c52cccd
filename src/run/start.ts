import type { Message, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

export interface StartPort {
  start(runId: string): Promise<void>;
  /** True while no process has it, and none that runs plans is up. */
  isWaiting(runId: string): Promise<boolean>;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

/**
 * Starts a run that is stored. Nobody is told that it failed when the start does: whoever looks next, here or in
 * another process, starts what was left behind.
 */
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

/** Milliseconds after which whoever said yes is told that nobody is there to run it; a takeover is over by then. */
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

/** Milliseconds after which whoever waits for an answer is told that it is being worked on. */
const quickMs = 2_500;

/** Starts the reads of a plan. Nobody waits here for their end: what they find is told when it is stored. */
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
