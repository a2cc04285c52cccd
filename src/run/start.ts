import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

export interface StartPort {
  start(runId: string): Promise<void>;
  /** Its request runs now. */
  runs(requestId: string): Promise<void>;
  readonly log: Log;
}

/**
 * Starts a run that is stored. Nobody is told that it failed when the start does: whoever looks next, here or in
 * another process, starts what was left behind.
 */
export async function startRun(run: { runId: string; requestId: string }, port: StartPort): Promise<void> {
  try {
    // The run goes first: the card's "Approved" can wait, the page cannot.
    await port.start(run.runId);
    await port.runs(run.requestId);
  } catch (error) {
    port.log.warn({ ...run, ...describeError(error) }, 'Start failed; recovery will retry');
  }
}
