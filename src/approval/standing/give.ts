import type { Say } from '../../blocks/message.ts';
import { digestOf, sha256 } from '../../core/canonical.ts';
import type { Revision, Sealed } from '../../core/revision.ts';
import * as approvals from '../../store/approvals.ts';
import * as requests from '../../store/requests.ts';
import * as standingApprovals from '../../store/standing-approvals.ts';
import { storedRevision } from '../../store/stored-revision.ts';
import { auditRefusal } from '../audit-refusal.ts';
import { basisOf, type Rules } from '../basis.ts';
import { type StoredRun, tellApprover } from '../card-actions.ts';
import { type ApprovalContext, judgedNow } from '../context.ts';
import { type ApproveClick, type Decided, tryApprove } from '../decide.ts';
import { missingApprovals } from '../required-approvals.ts';
import { planKeyOf } from '../seal-plan.ts';
import type { Terms } from './modal.ts';
import { alreadyStanding, noStanding, standingGiven, standingNeedsMore } from './words.ts';

/**
 * Approves a card and future ones like it: first the card by all its rules, and then, once everybody needed has agreed,
 * a standing approval. Returns the run of the card, or null.
 */
export async function giveStanding(
  click: ApproveClick,
  terms: Terms,
  context: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  const decided = await approveOnce(click, context);
  const run = await tellApprover(decided, context, say);
  if (decided.ok) await give(decided.revision, { by: click.userId, ...terms }, context, say);
  return run;
}

/** Approves the card. An approval already stored is this same one: its process died before the rest was done. */
async function approveOnce(click: ApproveClick, context: ApprovalContext): Promise<Decided> {
  const decided = await tryApprove(click, context);
  if (!decided.ok && decided.refusal.code === 'decided') {
    const { revision, state, decidedAt } = decided.refusal.current;
    const given = await approvals.list(context.db, revision.sealed);
    if (
      state === 'approved' &&
      decidedAt !== null &&
      given.some(({ approver }) => approver === click.userId)
    ) {
      return { ok: true, revision, runId: null, at: decidedAt };
    }
  }
  return auditRefusal('approve', click, context, decided);
}

/** Counts an approval of future cards like this one, and activates the standing approval with the last one needed. */
async function give(
  { sealed }: Revision,
  { by, days, perDay }: Terms & { readonly by: string },
  context: ApprovalContext,
  say: Say,
): Promise<void> {
  const { db, teamId, now } = context;
  const { source } = sealed;
  const stored = await storedRevision(db, sealed);
  if (stored === null || source === undefined) return;
  const id = sha256(`${sealed.requestId}/${sealed.number}/${by}`).slice(0, 12);
  const known = await standingApprovals.get(db, { teamId, id });
  if (known !== null && known.endedAt !== null) return say(noStanding());
  // Given and reported before a process died.
  if (known !== null && known.activeAt !== null) return;
  const until = new Date(now().getTime() + days * 86_400_000);
  const scope = await scopeOf(sealed, context);
  const given = await standingApprovals.give(db, {
    ...{ teamId, id, by, until, perDay, ...source, ...scope, now: now() },
  });
  if (given === null) return say(alreadyStanding());
  const missing = await missingApprovals(judgedNow(stored, context), given.approvers);
  if (missing.length > 0) return say(standingNeedsMore(given, missing));
  // The first of them may have used another form: this is its standing approval.
  const { id: begun, approvers } = given;
  const messages = [context.reporting.toThread(sealed, `standing:${begun}`, standingGiven(given))];
  const isActive = await standingApprovals.activate(db, {
    ...{ teamId, id: begun, approvers, now: now(), messages },
  });
  if (isActive) context.reporting.kick();
}

/** The plan, the rules and the place it is for. */
async function scopeOf(sealed: Sealed, { db, teamId, rules }: ApprovalContext) {
  const { requestId, requester: owner, plan } = sealed;
  const channel = (await requests.get(db, teamId, requestId))?.channel ?? '';
  const digests = { planKey: planKeyOf(plan), ...standingBasis(sealed, rules) };
  return { ...digests, owner, channel, summary: plan.summary };
}

/** The basis of a standing approval beside its plan. */
export function standingBasis(of: Sealed, rules: Rules): { policy: string; catalogue: string } {
  const { policy, catalogue } = basisOf(of, rules);
  return { policy, catalogue: digestOf(catalogue) };
}
