import { cancel } from '../store/cancel.ts';
import { beginAnew } from '../store/file-watches.ts';
import * as inbox from '../store/inbox.ts';
import * as installations from '../store/installations.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as standing from '../store/standing-approvals.ts';
import type { TeamDb } from '../store/tables.ts';
import * as watches from '../store/watches.ts';

const by = 'system';
const reason = 'Countersign was removed from this workspace';

/**
 * Ends all open work in a workspace from which the bot was removed, and closes it. Call it again until it returns true:
 * a run in the middle of a write ends after it.
 */
export async function endEverything(rows: TeamDb, at: Date): Promise<boolean> {
  const { db, teamId } = rows;
  await inbox.forgetAll(db, { teamId, at });
  const isDecided = await cancelCards(rows, at);
  await requests.closeUnplanned(db, teamId);
  for (const { id } of await watches.open(db, teamId))
    await watches.end(db, { teamId, id, by, reason, at, messages: [] });
  // Those of `countersign.yml` restart if the bot is installed again.
  await beginAnew(db, teamId);
  for (const { id } of await standing.open(db, teamId, at))
    await standing.end(db, { teamId, id, by, reason, now: at, messages: [] });
  const isQuiet = await stopRuns(rows, at);
  if (!isDecided || !isQuiet) return false;
  await outbox.giveUpAll(db, teamId);
  await installations.close(db, { teamId, at });
  return true;
}

/** Cancels waiting cards in batches; true when none are left. */
async function cancelCards({ db, teamId }: TeamDb, now: Date): Promise<boolean> {
  for (const { requestId, number, digest } of await revisions.listOpen(db, { teamId, limit: 100 }))
    await cancel(db, { teamId, requestId, number, digest, reason, now });
  return (await revisions.listOpen(db, { teamId, limit: 1 })).length === 0;
}

/** Each stops before its next write; true when none is active. */
async function stopRuns({ db, teamId }: TeamDb, at: Date): Promise<boolean> {
  const underWay = (await runs.openRuns(db)).filter((run) => run.teamId === teamId);
  for (const { runId } of underWay) await runs.requestCancel(db, { teamId, runId, by, reason, at });
  return underWay.length === 0;
}
