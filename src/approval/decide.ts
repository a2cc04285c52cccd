import { policyDigest } from '../core/policy.ts';
import { factsDigest, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import { noted } from './audit-refusal.ts';
import { mayBreakGlass } from './break-glass.ts';
import { fitsCard } from './card/card.ts';
import type { Manifests } from './card/step-view.ts';
import {
  type Click,
  type ClickPort,
  findForMember,
  findOpen,
  loadRevision,
  refuse,
  whyClosed,
} from './find-revision.ts';
import { type Judged, mayApprove } from './may-approve.ts';
import type { Rules, StoreAnswer, StoreDecision, StoredRevision } from './ports.ts';
import type { Refusal, Stopper } from './refusal-words.ts';
import { missingYeses, type Progress } from './required-approvals.ts';

export interface DecideDeps extends ClickPort {
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  /** Who stopped all writes, and why; null while they are allowed. */
  stopped(): Promise<Stopper | null>;
}

/** An approval; `glass` is the reason of a person who approves alone what would need others. */
export type ApproveClick = Click & { readonly from: 'card' | 'details'; readonly glass?: string };
type RejectClick = Click & { readonly reason: string };

export type Decided =
  | {
      readonly ok: true;
      readonly revision: Revision;
      /** Null after a rejection, and after an approval that is not the last one needed. */
      readonly runId: string | null;
      readonly at: Date;
      /** If more people must approve: the progress. */
      readonly progress?: Progress;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Approves a plan: the value must be ours, the revision the newest and still open, its rules the current ones, all of
 * it seen, and the person allowed. Then one compare-and-set decides: one of many clicks wins, and the other people are
 * told who was first.
 */
export async function approve(click: ApproveClick, deps: DecideDeps): Promise<Decided> {
  return noted('approve', click, deps, await tryApprove(click, deps));
}

/** Like `approve`, without auditing a refusal. */
export async function tryApprove(click: ApproveClick, deps: DecideDeps): Promise<Decided> {
  const found = await findOpen(click, deps);
  if (!found.ok) return found;
  const { revision } = found.stored;
  if (Date.parse(revision.sealed.expiresAt) <= deps.now().getTime()) {
    return refuse({ code: 'expired', at: revision.sealed.expiresAt });
  }
  const { policy, catalogue } = deps.rules();
  if (revision.sealed.policy !== policyDigest(policy) || revision.sealed.catalogue !== catalogue) {
    return refuse({ code: 'rules_changed' });
  }
  const manifests = deps.manifests();
  const { facts } = found.stored;
  if (
    policy.reads === 'run' &&
    (facts === null || prospectOf(revision.sealed.plan, facts, manifests) !== 'writes')
  ) {
    return refuse({ code: 'nothing_to_approve' });
  }
  if (click.from === 'card' && !fitsCard(revision, manifests, facts)) return refuse({ code: 'unseen' });
  const judged = {
    revision: withJoiners(found.stored),
    policy,
    manifests,
    people: deps.people,
    now: deps.now(),
  };
  const { glass } = click;
  const verdict = await (glass === undefined ? mayApprove : mayBreakGlass)({ ...judged, who: click });
  if (!verdict.allowed) return refuse({ code: 'not_allowed', verdict });
  // Approving now would waste the grant on a run that may write nothing.
  const writes = revision.sealed.plan.steps.some(({ tool }) => manifests.get(tool)?.effect !== 'read');
  const stopped = writes ? await deps.stopped() : null;
  if (stopped !== null) return refuse({ code: 'writes_stopped', stopped });
  if (glass === undefined) return agree(click, found.stored, judged, deps);
  return settle(click, found.stored, { to: 'approved', reason: glass, glass: true }, deps);
}

/** Under four eyes, people who made the same request count as requesters. */
export function withJoiners({ revision, joiners }: Pick<StoredRevision, 'revision' | 'joiners'>): Revision {
  const { sealed } = revision;
  return { ...revision, sealed: { ...sealed, authors: [...sealed.authors, ...joiners] } };
}

/** Approves with a standing approval whose approvers and bounds were checked; the store enforces its date and cap. */
export async function standingYes(
  stored: StoredRevision,
  { id, writes, by }: { readonly id: string; readonly writes: number; readonly by: string },
  deps: DecideDeps,
): Promise<Decided> {
  const { policy, catalogue } = deps.rules();
  const { sealed } = stored.revision;
  if (sealed.policy !== policyDigest(policy) || sealed.catalogue !== catalogue) {
    return refuse({ code: 'rules_changed' });
  }
  const stopped = await deps.stopped();
  if (stopped !== null) return refuse({ code: 'writes_stopped', stopped });
  const click = { teamId: sealed.teamId, userId: by, home: null, value: '' };
  return settle(click, stored, { to: 'approved', reason: null, standing: { id, writes } }, deps);
}

/**
 * Counts an approval. The last one needed grants the plan; any other is stored as a row, and then checked again,
 * because two people may have approved at the same moment.
 */
async function agree(
  click: ApproveClick,
  stored: StoredRevision,
  judged: Judged,
  deps: DecideDeps,
): Promise<Decided> {
  const { revision } = stored;
  const { requestId, number } = revision.sealed;
  const { teamId, userId: by } = click;
  const { revisions } = deps;
  // Usually one is enough, and then other approvals do not matter.
  if ((await missingYeses(judged, [by])).length === 0) {
    return settle(click, stored, { to: 'approved', reason: null }, deps);
  }
  for (let isStored = false; ; isStored = true) {
    const yeses = await revisions.yeses(teamId, requestId, number);
    const others = yeses.filter((yes) => yes.by !== by).map((yes) => yes.by);
    const missing = await missingYeses(judged, [...others, by]);
    if (missing.length === 0) return settle(click, stored, { to: 'approved', reason: null, others }, deps);
    const at = deps.now();
    if (isStored) return { ok: true, revision, runId: null, at, progress: { yeses, missing } };
    const { digest } = revision;
    const added = await revisions.second({ teamId, requestId, number, digest, by, now: at });
    if (added === 'closed') return settledMeanwhile(click, revision, { why: 'expired' }, deps);
  }
}

/** Rejects a plan, with a reason. Every full member may stop a plan before it starts: that writes nothing. */
export async function reject(click: RejectClick, deps: DecideDeps): Promise<Decided> {
  return noted('reject', click, deps, await tryReject(click, deps));
}

async function tryReject(click: RejectClick, deps: DecideDeps): Promise<Decided> {
  const found = await findForMember(click, deps);
  const { reason } = click;
  return found.ok ? settle(click, found.stored, { to: 'rejected', reason }, deps) : found;
}

interface Settlement {
  readonly to: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly others?: readonly string[];
  readonly glass?: boolean;
  readonly standing?: StoreDecision['standing'];
}

async function settle(
  click: Click,
  stored: StoredRevision,
  { to, reason, others = [], glass = false, standing }: Settlement,
  deps: DecideDeps,
): Promise<Decided> {
  const { revision } = stored;
  const { requestId, number } = revision.sealed;
  const at = deps.now();
  const { teamId, userId: by } = click;
  const { digest } = revision;
  const seen = stored.facts === null ? {} : { facts: factsDigest(stored.facts) };
  const granted = standing === undefined ? {} : { standing };
  const about = { teamId, requestId, number, digest, by, ...seen, ...granted };
  const answer = await deps.revisions.decide({ ...about, to, reason, others, glass, now: at });
  if (answer.ok) return { ok: true, revision, runId: answer.runId, at };
  return settledMeanwhile(click, revision, answer, deps);
}

/** Someone else was faster, between our check and our attempt. */
async function settledMeanwhile(
  { teamId }: Click,
  { sealed }: Revision,
  { why, busy }: Pick<Extract<StoreAnswer, { ok: false }>, 'why' | 'busy'>,
  deps: DecideDeps,
): Promise<Decided> {
  const { requestId, number, expiresAt } = sealed;
  const current = await loadRevision(teamId, requestId, number, deps);
  if (current === 'changed') return refuse({ code: 'bytes_changed' });
  if (why === 'digest_mismatch') return refuse({ code: 'tampered' });
  if (current?.state === 'proposed' && why === 'changed_meanwhile') return refuse({ code: why });
  if (current?.state === 'proposed' && why === 'service_busy') {
    const other = busy === undefined ? null : await loadRevision(teamId, busy.requestId, busy.number, deps);
    const isKnown = other !== null && other !== 'changed';
    return refuse({ code: why, runs: isKnown ? other.revision.sealed.plan.summary : '' });
  }
  if (current === null) return refuse({ code: 'not_found' });
  if (why === 'expired' && current.state === 'proposed') return refuse({ code: 'expired', at: expiresAt });
  return refuse(await whyClosed(current, teamId, deps));
}
