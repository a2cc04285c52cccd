/** Open work in a workspace from which the bot was removed. */
export interface FarewellPort {
  /** Discards all accepted work. */
  forgetAccepted(): Promise<void>;
  /** Cancels waiting cards in batches; true when none are left. */
  cancelCards(reason: string): Promise<boolean>;
  /** Closes open questions and unfinished plans. */
  closeUnplanned(): Promise<void>;
  /** Those of `countersign.yml` restart if the bot is installed again. */
  endWatches(reason: string): Promise<void>;
  endStandingApprovals(reason: string): Promise<void>;
  /** Each stops before its next write; true when none is active. */
  stopRuns(reason: string): Promise<boolean>;
  /** Gives up the remaining messages and closes the workspace. */
  close(): Promise<void>;
}

const reason = 'Countersign was removed from this workspace';

/**
 * Ends all open work in a workspace from which the bot was removed. Call it again until it returns true: a run in the
 * middle of a write ends after it.
 */
export async function endEverything(port: FarewellPort): Promise<boolean> {
  await port.forgetAccepted();
  const isDecided = await port.cancelCards(reason);
  await port.closeUnplanned();
  await port.endWatches(reason);
  await port.endStandingApprovals(reason);
  const isQuiet = await port.stopRuns(reason);
  if (!isDecided || !isQuiet) return false;
  await port.close();
  return true;
}
