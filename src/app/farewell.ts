import { decide } from '../store/decide.ts';
import * as inbox from '../store/inbox.ts';
import * as installations from '../store/installations.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as standing from '../store/standing-approvals.ts';
import * as watches from '../store/watches.ts';
import type { Books } from './books.ts';

const by = 'system';
const reason = 'Countersign was removed from this workspace';

/**
 * Ends what is open in a workspace that the bot was removed from: cards, watches, standing approvals, and runs before
 * their next write. To be called again until it answers true: a run that is in the middle of a write ends after it.
 */
export async function endEverything({ db, teamId }: Books, at: Date): Promise<boolean> {
  await inbox.forgetAll(db, { teamId, at });
  for (const { requestId, number, digest } of await revisions.listOpen(db, { teamId, limit: 100 })) {
    await decide(db, { teamId, requestId, number, digest, to: 'cancelled', by, reason, now: at });
    await requests.setState(db, { teamId, id: requestId, to: 'closed' });
  }
  await requests.closeUnplanned(db, teamId);
  for (const { id } of await watches.open(db, teamId))
    await watches.end(db, { teamId, id, by, reason, at, messages: [] });
  // Should the bot be installed there again.
  await watches.beginAnew(db, teamId);
  for (const { id } of await standing.open(db, teamId, at))
    await standing.end(db, { teamId, id, by, reason, now: at, messages: [] });
  const under = (await runs.openRuns(db)).filter((run) => run.teamId === teamId);
  for (const { runId } of under) await runs.requestCancel(db, { teamId, runId, by, reason, at });
  const waiting = await revisions.listOpen(db, { teamId, limit: 1 });
  if (under.length > 0 || waiting.length > 0) return false;
  await outbox.giveUpAll(db, teamId);
  await installations.close(db, { teamId, at });
  return true;
}
