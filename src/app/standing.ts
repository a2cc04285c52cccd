import type { DecisionsPort } from '../approval/card-actions.ts';
import type { Candidate, StandingPort } from '../approval/standing/end.ts';
import { type RowReader, readRows } from '../core/damaged-row.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as standing from '../store/standing-approvals.ts';
import { isAsGiven } from '../store/standing-proof.ts';
import type { ApprovalDeps } from './approval-deps.ts';
import { planReader } from './stored-requests.ts';

/** Reads and changes standing approvals. */
export function standingPort(deps: ApprovalDeps, decisions: DecisionsPort): StandingPort {
  const { db, teamId, damaged, reporting, now } = deps;
  return {
    ...decisions,
    async give({ id, revision, planKey, policy, catalogue, by, until, perDay }) {
      const { source, requester: owner, requestId, plan } = revision.sealed;
      if (source === undefined) throw new TypeError('it came of no watch and no playbook');
      const channel = (await requests.get(db, teamId, requestId))?.channel ?? '';
      const of = {
        ...source,
        planKey,
        policy,
        catalogue,
        until,
        perDay,
        owner,
        channel,
        summary: plan.summary,
      };
      return standing.give(db, { ...of, teamId, id, by, now: now() });
    },
    async activate({ id, yeses }, { sealed }, message) {
      const messages = [reporting.toThread(sealed, `standing:${id}`, message)];
      const isActive = await standing.activate(db, { teamId, id, yeses, now: now(), messages });
      if (isActive) reporting.kick();
      return isActive;
    },
    async candidates() {
      const rows = await standing.candidates(db, teamId);
      const reader: RowReader<(typeof rows)[number], Candidate> = {
        kind: 'plan',
        idOf: ({ revision }) => planReader.idOf(revision),
        read: ({ revision, standing: one }) => ({ revision: planReader.read(revision), standing: one }),
      };
      return readRows(rows, reader, damaged);
    },
    standing: (id) => standing.get(db, { teamId, id }),
    async isAsGiven({ id }) {
      const row = await standing.get(db, { teamId, id });
      return row !== null && isAsGiven(db, row);
    },
    used: ({ id }) => standing.usedOf(db, { teamId, id }, now()),
    async end({ id, channel }, { by, reason, message, revision }) {
      // A standing approval that somebody reactivated in the database ends again, and reports that again.
      const key = `standing-ended:${id}:${revision?.digest ?? ''}`;
      const told =
        revision === null
          ? reporting.toChannel(teamId, channel, key, message)
          : reporting.toThread(revision.sealed, key, message);
      const isEnded = await standing.end(db, { teamId, id, by, reason, now: now(), messages: [told] });
      if (isEnded) reporting.kick();
      return isEnded;
    },
    async toThread({ sealed }, key, message) {
      await outbox.enqueue(db, reporting.toThread(sealed, key, message));
      reporting.kick();
    },
  };
}

/** Active and pending ones, each with its plan's requester and the writes of the last 24 hours. */
export async function openStanding({ db, teamId, now }: Pick<ApprovalDeps, 'db' | 'teamId' | 'now'>) {
  const rows = await standing.open(db, teamId, now());
  return rows.map((row) => ({ ...row, requester: row.owner }));
}
