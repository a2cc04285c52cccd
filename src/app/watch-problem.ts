import { cancelCard, cancelDamaged } from '../approval/card-actions.ts';
import { readRow } from '../core/damaged-row.ts';
import { runIdOf } from '../core/run.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import type { ProblemPort } from '../watches/problem.ts';
import type { Reporting } from './reporting.ts';
import type { SoundBooks } from './stored-requests.ts';

export interface ProblemDeps extends SoundBooks {
  readonly reporting: Pick<Reporting, 'cardMessage' | 'damagedCard' | 'kick'>;
  readonly pagerduty: Pick<PagerDutyReader, 'incident'>;
  readonly now: () => Date;
}

const incidentMs = 5_000;

/** The request, card and incidents of a problem, from their rows and from PagerDuty. */
export function problemPort(deps: ProblemDeps): ProblemPort {
  const { db, teamId, pagerduty, now } = deps;
  return {
    async head(id) {
      const own = await requests.get(db, teamId, id);
      const isJoined = own !== null && own.joined !== null;
      const request = isJoined ? await requests.get(db, teamId, own.joined ?? '') : own;
      if (request === null) return null;
      const row = await revisions.latest(db, teamId, request.id);
      const { id: requestId, requester, threadTs, state } = request;
      return { requestId, requester, threadTs, state, isJoined, card: row && { ...row, ts: row.cardTs } };
    },
    async isRunning({ requestId, number }) {
      const run = await runs.get(db, { teamId, runId: runIdOf(requestId, number) });
      return run?.state === 'running';
    },
    async incidents(requestId) {
      const request = await requests.get(db, teamId, requestId);
      const ids = request === null ? [] : await incidentsOfThread(db, request);
      const signal = AbortSignal.timeout(incidentMs);
      const found = await Promise.all(ids.map((id) => pagerduty.incident(id, signal)));
      return found.map((one) => one !== null && one.state !== 'resolved');
    },
    joiners: async (requestId) => (await requests.joinersOf(db, teamId, requestId)).requesters,
    async cancel({ requestId, number }, reason) {
      const row = await revisions.get(db, teamId, requestId, number);
      if (row === null) return;
      const revision = readRow(row, revisions.planReader, deps.damaged);
      await (revision === null ? cancelDamaged(row, deps) : cancelCard(revision, reason, deps));
    },
    now,
  };
}
