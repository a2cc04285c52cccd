import type { Message } from '../../blocks/message.ts';
import { readsWait } from '../../core/agent.ts';
import { effectOf } from '../../core/code-step.ts';
import { type RowReader, readRows } from '../../core/damaged-row.ts';
import { isDescribed, prospectOf } from '../../core/read-results.ts';
import type { Revision } from '../../core/revision.ts';
import * as outbox from '../../store/outbox.ts';
import { planReader } from '../../store/revisions.ts';
import type { StoredStanding } from '../../store/standing-approvals.ts';
import * as standingApprovals from '../../store/standing-approvals.ts';
import { isAsGiven } from '../../store/standing-proof.ts';
import { type StoredRevision, storedRevision } from '../../store/stored-revision.ts';
import type { RevisionRow } from '../../store/tables.ts';
import type { StoredRun } from '../card-actions.ts';
import { type ApprovalContext, judgedNow } from '../context.ts';
import { approveByStanding } from '../decide.ts';
import { mayApprove } from '../may-approve.ts';
import { missingApprovals } from '../required-approvals.ts';
import { planKeyOf } from '../seal-plan.ts';
import { endStanding } from './end.ts';
import { standingBasis } from './give.ts';
import { standingUsed, standingUsedUp } from './words.ts';

/** A waiting card with a standing approval that may decide it. */
interface Candidate {
  readonly revision: Revision;
  readonly standing: StoredStanding;
}

/**
 * Decides every waiting card covered by a standing approval; returns the runs to start. `tried` holds waiting cards
 * that this process need not check again.
 */
export async function applyStanding(context: ApprovalContext, tried: Set<string>): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  const waiting = await candidatesOf(context);
  const keys = new Set(waiting.map(keyOf));
  for (const key of tried) if (!keys.has(key)) tried.delete(key);
  for (const one of waiting) {
    const key = keyOf(one);
    if (tried.has(key)) continue;
    const used = await applyOne(one, context);
    if (used !== 'later') tried.add(key);
    if (typeof used === 'object' && used !== null) runs.push(used);
  }
  return runs;
}

function keyOf({ revision, standing }: Candidate): string {
  return `${standing.id}:${revision.digest}`;
}

const candidateReader: RowReader<{ revision: RevisionRow; standing: StoredStanding }, Candidate> = {
  kind: 'plan',
  idOf: ({ revision }) => planReader.idOf(revision),
  read: ({ revision, standing }) => ({ revision: planReader.read(revision), standing }),
};

async function candidatesOf({ db, teamId, damaged }: ApprovalContext): Promise<readonly Candidate[]> {
  return readRows(await standingApprovals.candidates(db, teamId), candidateReader, damaged);
}

/** `later`: cannot be decided yet, and is checked again. Null: not for this card, or no longer in force. */
async function applyOne(
  { revision, standing }: Candidate,
  context: ApprovalContext,
): Promise<StoredRun | 'later' | null> {
  const { sealed } = revision;
  const stored = await storedRevision(context.db, sealed);
  if (stored?.state !== 'proposed') return null;
  // Its card is posted together with the read results; an earlier message would not be in its thread.
  if (stored.facts === null && !waits(sealed, context)) return 'later';
  const covered = await covers(standing, stored, context);
  if (covered === 'later' || covered === 'other') return covered === 'later' ? 'later' : null;
  if (covered !== null) {
    await endStanding(standing, { by: 'system', reason: covered, revision }, context);
    return null;
  }
  const writes = writesOf(stored, context);
  if (writes === null) return null;
  const { id, perDay, approvers } = standing;
  const about = `${sealed.requestId}:${sealed.number}`;
  if ((await usedOf(standing, context)) + writes > perDay) {
    await toThread(revision, `standing-used-up:${about}`, standingUsedUp(standing), context);
    return null;
  }
  const decided = await approveByStanding(stored, { id, writes, by: approvers[0] ?? '' }, context);
  // A service is busy, writes are stopped, or somebody was faster: the next pass decides.
  if (!decided.ok) return 'later';
  const used = standingUsed(standing, await usedOf(standing, context));
  await toThread(revision, `standing-used:${about}`, used, context);
  return decided.runId === null ? null : { runId: decided.runId, requestId: sealed.requestId };
}

/** Writes of the last 24 hours. */
function usedOf({ id }: StoredStanding, { db, teamId, now }: ApprovalContext): Promise<number> {
  return standingApprovals.usedOf(db, { teamId, id }, now());
}

/** A message in the thread of a card, once per key. */
async function toThread(
  { sealed }: Revision,
  key: string,
  message: Message,
  { db, reporting }: ApprovalContext,
): Promise<void> {
  await outbox.enqueue(db, reporting.toThread(sealed, key, message));
  reporting.kick();
}

const changedTerms =
  'It is not what was given, by the audit log. One from before this version has to be given again.';

/**
 * Why a standing approval is void from now on; null while it holds. `other`: it is for another plan of the same
 * playbook. All its terms are checked again at each use.
 */
async function covers(
  standing: StoredStanding,
  stored: StoredRevision,
  context: ApprovalContext,
): Promise<string | 'later' | 'other' | null> {
  const { sealed } = stored.revision;
  const { policy, catalogue } = standingBasis(sealed, context.rules);
  if (sealed.source?.scope !== standing.scope) return 'other';
  if (standing.until <= context.now()) return 'It reached its end date.';
  if (sealed.source.version !== standing.version) return 'The playbook has changed.';
  if (standing.planKey !== planKeyOf(sealed.plan)) {
    return standing.scope.startsWith('watch:') ? 'The plan of the watch has changed.' : 'other';
  }
  if (standing.policy !== policy) return 'The rules about who may approve have changed.';
  if (standing.catalogue !== catalogue) return 'The tools or the names that they work with have changed.';
  for (const userId of standing.approvers) {
    const verdict = await mayApprove({ ...judgedNow(stored, context), who: { userId, home: null } });
    if (verdict.allowed) continue;
    return verdict.why === 'cannot_tell' ? 'later' : 'Somebody who gave it may no longer approve this.';
  }
  const missing = await missingApprovals(judgedNow(stored, context), standing.approvers);
  if (missing.length > 0) return 'later';
  return (await isAsGiven(context.db, standing)) ? null : changedTerms;
}

/** The maximum number of writes an approval leads to; null if it would make none, or that cannot be decided. */
function writesOf({ revision, facts }: StoredRevision, context: ApprovalContext): number | null {
  const { manifests } = context;
  const { plan } = revision.sealed;
  if (facts === null) {
    const all = plan.steps.filter(({ tool }) => effectOf(tool, manifests) !== 'read').length;
    return waits(revision.sealed, context) && all > 0 ? all : null;
  }
  return prospectOf(plan, facts, manifests) === 'writes' ? facts.filter(isDescribed).length : null;
}

function waits({ plan, agent }: Revision['sealed'], { rules, manifests }: ApprovalContext): boolean {
  return readsWait(plan, agent, { ...rules, manifests });
}
