/** What is open in a workspace that the bot was removed from. */
export interface FarewellPort {
  /** Nothing that was accepted is worked on any more. */
  forgetAccepted(): Promise<void>;
  /** Cards that wait are taken out of play, many at a time; true when there are none. */
  cancelCards(reason: string): Promise<boolean>;
  /** Questions and plans on their way. */
  closeUnplanned(): Promise<void>;
  /** Those of `countersign.yml` begin anew where the bot is installed again. */
  endWatches(reason: string): Promise<void>;
  endStandingApprovals(reason: string): Promise<void>;
  /** Each stops before its next write; true when none is under way. */
  stopRuns(reason: string): Promise<boolean>;
  /** The rest of what was to be said is given up, and the workspace is closed. */
  close(): Promise<void>;
}

const reason = 'Countersign was removed from this workspace';

/**
 * Ends what is open in a workspace that the bot was removed from. To be called again until it answers true: a run that is
 * in the middle of a write ends after it.
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
