import { readsWait } from '../core/agent.ts';
import { effectOf } from '../core/code-step.ts';
import { factsDigest, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import { runIdOf } from '../core/run.ts';
import * as approvals from '../store/approvals.ts';
import { type Decision, type DecisionResult, decide } from '../store/decide.ts';
import type { StoredRevision } from '../store/stored-revision.ts';
import type { Db } from '../store/tables.ts';
import { auditRefusal } from './audit-refusal.ts';
import { changedSince } from './basis.ts';
import { glassMessage, mayBreakGlass } from './break-glass.ts';
import { fitsCard } from './card/card.ts';
import { type ApprovalContext, judgedNow } from './context.ts';
import { type Click, findForMember, findOpen, loadRevision, refuse, whyClosed } from './find-revision.ts';
import { type Judged, mayApprove } from './may-approve.ts';
import type { Refusal } from './refusal-words.ts';
import { type ApprovalProgress, missingApprovals } from './required-approvals.ts';

/** An approval; `glass` is the reason of a person who approves alone what would need others. */
export type ApproveClick = Click & { readonly from: 'card' | 'details'; readonly glass?: string };
/** `isExplained`: the reason is the person's own. */
export type RejectClick = Click & { readonly reason: string; readonly isExplained?: boolean };

export type Decided =
  | {
      readonly ok: true;
      readonly revision: Revision;
      /** Null after a rejection, and after an approval that is not the last one needed. */
      readonly runId: string | null;
      readonly at: Date;
      /** If more people must approve: the progress. */
      readonly progress?: ApprovalProgress;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Approves a plan: the value must be ours, the revision the newest and still open, its rules the current ones, all of
 * it seen, and the person allowed. Then one compare-and-set decides: one of many clicks wins, and the other people are
 * told who was first.
 */
export async function approve(click: ApproveClick, context: ApprovalContext): Promise<Decided> {
  return auditRefusal('approve', click, context, await tryApprove(click, context));
}

/** Like `approve`, without auditing a refusal. */
export async function tryApprove(click: ApproveClick, context: ApprovalContext): Promise<Decided> {
  const found = await findOpen(click, context);
  if (!found.ok) return found;
  const { manifests, rules } = context;
  const { revision, facts, stopped } = found.stored;
  const { plan, expiresAt, agent } = revision.sealed;
  if (Date.parse(expiresAt) <= context.now().getTime()) return refuse({ code: 'expired', at: expiresAt });
  const changed = changedSince(revision.sealed, rules);
  if (changed.length > 0) return refuse({ code: 'rules_changed', changed });
  const isRead = facts !== null && prospectOf(plan, facts, manifests) === 'writes';
  if (!readsWait(plan, agent, { ...rules, manifests }) && !isRead) {
    return refuse({ code: 'nothing_to_approve' });
  }
  if (click.from === 'card' && !fitsCard(revision, manifests, facts)) return refuse({ code: 'unseen' });
  const judged = judgedNow(found.stored, context);
  const { glass } = click;
  const verdict = await (glass === undefined ? mayApprove : mayBreakGlass)({ ...judged, who: click });
  if (!verdict.allowed) return refuse({ code: 'not_allowed', verdict });
  // Approving now would waste the grant on a run that may write nothing.
  const writes = plan.steps.some(({ tool }) => effectOf(tool, manifests) !== 'read');
  if (writes && stopped !== null) return refuse({ code: 'writes_stopped', stopped });
  if (glass === undefined) return countApproval(click, found.stored, judged, context);
  return decideOnce(click, found.stored, { to: 'approved', reason: glass, glass: true }, context);
}

/** Approves with a standing approval whose approvers and bounds were checked; the store enforces its date and cap. */
export async function approveByStanding(
  stored: StoredRevision,
  { id, writes, by }: { readonly id: string; readonly writes: number; readonly by: string },
  context: ApprovalContext,
): Promise<Decided> {
  const changed = changedSince(stored.revision.sealed, context.rules);
  if (changed.length > 0) return refuse({ code: 'rules_changed', changed });
  const { stopped } = stored;
  if (stopped !== null) return refuse({ code: 'writes_stopped', stopped });
  return decideOnce(
    { userId: by },
    stored,
    { to: 'approved', reason: null, standing: { id, writes } },
    context,
  );
}

/**
 * Counts an approval. The last one needed grants the plan; any other is stored as a row, and then checked again,
 * because two people may have approved at the same moment.
 */
async function countApproval(
  click: ApproveClick,
  stored: StoredRevision,
  judged: Judged,
  context: ApprovalContext,
): Promise<Decided> {
  const { db, teamId, now } = context;
  const { revision } = stored;
  const { requestId, number } = revision.sealed;
  const { userId: by } = click;
  // Usually one is enough, and then other approvals do not matter.
  if ((await missingApprovals(judged, [by])).length === 0) {
    return decideOnce(click, stored, { to: 'approved', reason: null }, context);
  }
  for (let isStored = false; ; isStored = true) {
    const given = await approvals.list(db, { teamId, requestId, number });
    const others = given.map(({ approver }) => approver).filter((approver) => approver !== by);
    const missing = await missingApprovals(judged, [...others, by]);
    if (missing.length === 0)
      return decideOnce(click, stored, { to: 'approved', reason: null, others }, context);
    const at = now();
    if (isStored) return { ok: true, revision, runId: null, at, progress: { approvals: given, missing } };
    const { digest } = revision;
    const added = await approvals.add(db, { teamId, requestId, number, digest, by, now: at });
    if (added === 'closed') return decidedMeanwhile(revision, { why: 'expired' }, context);
  }
}

/** Rejects a plan, with a reason. Every full member may stop a plan before it starts: that writes nothing. */
export async function reject(click: RejectClick, context: ApprovalContext): Promise<Decided> {
  return auditRefusal('reject', click, context, await tryReject(click, context));
}

async function tryReject(click: RejectClick, context: ApprovalContext): Promise<Decided> {
  const found = await findForMember(click, context);
  const { reason } = click;
  return found.ok ? decideOnce(click, found.stored, { to: 'rejected', reason }, context) : found;
}

/** Decides with one compare-and-set; breaking glass is announced, or the decision is not stored either. */
async function decideOnce(
  { userId: by }: Pick<Click, 'userId'>,
  { revision, facts }: StoredRevision,
  decision: Pick<Decision, 'to' | 'reason' | 'others' | 'glass' | 'standing'>,
  context: ApprovalContext,
): Promise<Decided> {
  const { db, teamId, reporting } = context;
  const { requestId, number } = revision.sealed;
  const { digest } = revision;
  const at = context.now();
  const seen = facts === null ? {} : { facts: factsDigest(facts) };
  const messages = decision.glass ? [glassMessage(revision, { by, reason: decision.reason }, context)] : [];
  const about = { teamId, requestId, number, digest, runId: runIdOf(requestId, number) };
  const start = (connection: Db) => context.startBehind(connection, about.runId);
  const stored = { ...about, ...decision, ...seen, by, messages, now: at };
  const answer = await decide(db, stored, decision.to === 'approved' ? start : undefined);
  if (messages.length > 0) reporting.kick();
  if (!answer.ok) return decidedMeanwhile(revision, answer, context);
  context.decided(answer.revision);
  return { ok: true, revision, runId: answer.runId, at };
}

/** Someone else was faster, between our check and our attempt. */
async function decidedMeanwhile(
  { sealed }: Revision,
  { why, busy }: Pick<Extract<DecisionResult, { ok: false }>, 'why' | 'busy'>,
  context: ApprovalContext,
): Promise<Decided> {
  const current = await loadRevision(context, sealed);
  if (current === 'changed') return refuse({ code: 'bytes_changed' });
  if (why === 'digest_mismatch') return refuse({ code: 'tampered' });
  if (current?.state === 'proposed' && why === 'changed_meanwhile') return refuse({ code: why });
  if (current?.state === 'proposed' && why === 'service_busy') {
    const other = busy === undefined ? null : await loadRevision(context, busy);
    const isKnown = other !== null && other !== 'changed';
    return refuse({ code: why, runs: isKnown ? other.revision.sealed.plan.summary : '' });
  }
  if (current === null) return refuse({ code: 'not_found' });
  if (why === 'expired' && current.state === 'proposed') {
    return refuse({ code: 'expired', at: sealed.expiresAt });
  }
  return refuse(await whyClosed(current, context));
}
