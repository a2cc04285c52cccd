import type { Say } from '../../blocks/message.ts';
import type { Revision } from '../../core/revision.ts';
import type { StoredStanding } from '../../store/standing-approvals.ts';
import * as standingApprovals from '../../store/standing-approvals.ts';
import type { ApprovalContext } from '../context.ts';
import type { Click } from '../find-revision.ts';
import { requireMember } from '../require-member.ts';
import { noStanding, revoked, standingVoid } from './words.ts';

/** Every full member may stop it, like a run: stopping writes nothing. */
export async function revokeStanding(click: Click, context: ApprovalContext, say: Say): Promise<void> {
  const { db, teamId } = context;
  const { userId, value: id } = click;
  const standing = await standingApprovals.get(db, { teamId, id });
  const about = standing === null ? {} : { about: `standing:${id}` };
  if (!(await requireMember('revoke', { ...click, ...about }, context, say))) return;
  if (standing === null || standing.endedAt !== null) return say(noStanding());
  const of = { by: userId, reason: 'It was revoked.', revision: null };
  await say((await endStanding(standing, of, context)) ? revoked() : noStanding());
}

/** Ends it, reports why in the thread of `revision` or else in its channel, and stops the runs it granted. */
export async function endStanding(
  standing: StoredStanding,
  { by, reason, revision }: { by: string; reason: string; revision: Revision | null },
  { db, teamId, reporting, now }: ApprovalContext,
): Promise<boolean> {
  const { id, channel } = standing;
  const message = standingVoid(standing, by, reason);
  // A standing approval that somebody reactivated in the database ends again, and reports that again.
  const key = `standing-ended:${id}:${revision?.digest ?? ''}`;
  const report =
    revision === null
      ? reporting.toChannel(teamId, channel, key, message)
      : reporting.toThread(revision.sealed, key, message);
  const isEnded = await standingApprovals.end(db, { teamId, id, by, reason, now: now(), messages: [report] });
  if (isEnded) reporting.kick();
  return isEnded;
}

/** Active and pending ones, each with its plan's requester and the writes of the last 24 hours. */
export async function openStanding({ db, teamId, now }: ApprovalContext) {
  const rows = await standingApprovals.open(db, teamId, now());
  return rows.map((row) => ({ ...row, requester: row.owner }));
}
