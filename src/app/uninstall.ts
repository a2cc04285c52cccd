import type { FarewellPort } from '../request/uninstall.ts';
import { cancel } from '../store/cancel.ts';
import { beginAnew } from '../store/file-watches.ts';
import * as inbox from '../store/inbox.ts';
import * as installations from '../store/installations.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as standing from '../store/standing-approvals.ts';
import * as watches from '../store/watches.ts';
import type { Books } from './stored-requests.ts';

const by = 'system';

/** Ends the open rows of a workspace. */
export function farewellPort({ db, teamId }: Books, at: Date): FarewellPort {
  return {
    forgetAccepted: () => inbox.forgetAll(db, { teamId, at }),
    async cancelCards(reason) {
      for (const { requestId, number, digest } of await revisions.listOpen(db, { teamId, limit: 100 }))
        await cancel(db, { teamId, requestId, number, digest, reason, now: at });
      return (await revisions.listOpen(db, { teamId, limit: 1 })).length === 0;
    },
    closeUnplanned: () => requests.closeUnplanned(db, teamId),
    async endWatches(reason) {
      for (const { id } of await watches.open(db, teamId))
        await watches.end(db, { teamId, id, by, reason, at, messages: [] });
      await beginAnew(db, teamId);
    },
    async endStandingApprovals(reason) {
      for (const { id } of await standing.open(db, teamId, at))
        await standing.end(db, { teamId, id, by, reason, now: at, messages: [] });
    },
    async stopRuns(reason) {
      const under = (await runs.openRuns(db)).filter((run) => run.teamId === teamId);
      for (const { runId } of under) await runs.requestCancel(db, { teamId, runId, by, reason, at });
      return under.length === 0;
    },
    async close() {
      await outbox.giveUpAll(db, teamId);
      await installations.close(db, { teamId, at });
    },
  };
}
