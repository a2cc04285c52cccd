import { planKeyOf } from '../../core/plan-key.ts';
import { policyDigest } from '../../core/policy.ts';
import { isDescribed, prospectOf } from '../../core/read-results.ts';
import type { Revision } from '../../core/revision.ts';
import type { StandingApproval } from '../../core/standing-approval.ts';
import type { Manifests } from '../card/step-view.ts';
import type { StoredRun } from '../card-actions.ts';
import { type DecideDeps, standingYes } from '../decide.ts';
import { mayApprove } from '../may-approve.ts';
import type { StoredRevision } from '../ports.ts';
import { missingYeses } from '../required-approvals.ts';
import { type Candidate, endStanding, judgedNow, type StandingPort } from './end.ts';
import { standingUsed, standingUsedUp } from './words.ts';

/**
 * Decides every waiting card covered by a standing approval; returns the runs to start. `tried` holds waiting cards
 * that this process need not check again.
 */
export async function applyStanding(port: StandingPort, tried: Set<string>): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  const waiting = await port.candidates();
  const keys = new Set(waiting.map(keyOf));
  for (const key of tried) if (!keys.has(key)) tried.delete(key);
  for (const one of waiting) {
    const { revision, standing } = one;
    const key = keyOf(one);
    if (tried.has(key)) continue;
    const used = await applyOne(revision, standing, port);
    if (used !== 'later') tried.add(key);
    if (typeof used === 'object' && used !== null) runs.push(used);
  }
  return runs;
}

function keyOf({ revision, standing }: Candidate): string {
  return `${standing.id}:${revision.digest}`;
}

/** `later`: cannot be decided yet, and is checked again. Null: not for this card, or no longer in force. */
async function applyOne(
  revision: Revision,
  standing: StandingApproval,
  port: StandingPort,
): Promise<StoredRun | 'later' | null> {
  const { sealed } = revision;
  const stored = await port.revisions.load(sealed.teamId, sealed.requestId, sealed.number);
  if (stored?.state !== 'proposed') return null;
  // Its card is posted together with the read results; an earlier message would not be in its thread.
  if (stored.facts === null && port.rules().policy.reads === 'run') return 'later';
  const covered = await covers(standing, stored, port);
  if (covered === 'later' || covered === 'other') return covered === 'later' ? 'later' : null;
  if (covered !== null) {
    await endStanding(standing, { by: 'system', reason: covered, revision }, port);
    return null;
  }
  const writes = writesOf(stored, port);
  if (writes === null) return null;
  if ((await port.used(standing)) + writes > standing.perDay) {
    const word = standingUsedUp(standing);
    await port.toThread(revision, `standing-used-up:${sealed.requestId}:${sealed.number}`, word);
    return null;
  }
  const decided = await standingYes(stored, { id: standing.id, writes, by: standing.yeses[0] ?? '' }, port);
  // A service is busy, writes are stopped, or somebody was faster: the next pass decides.
  if (!decided.ok) return 'later';
  const word = standingUsed(standing, await port.used(standing));
  await port.toThread(revision, `standing-used:${sealed.requestId}:${sealed.number}`, word);
  return decided.runId === null ? null : { runId: decided.runId, requestId: sealed.requestId };
}

const changedTerms =
  'It is not what was given, by the audit log. One from before this version has to be given again.';

/**
 * Why a standing approval is void from now on; null while it holds. `other`: it is for another plan of the same
 * playbook. All its terms are checked again at each use.
 */
async function covers(
  standing: StandingApproval,
  stored: StoredRevision,
  port: StandingPort,
): Promise<string | 'later' | 'other' | null> {
  const { sealed } = stored.revision;
  const { policy, catalogue } = port.rules();
  if (sealed.source?.scope !== standing.scope) return 'other';
  if (standing.until <= port.now()) return 'It reached its end date.';
  if (sealed.source.version !== standing.version) return 'The playbook has changed.';
  if (standing.planKey !== planKeyOf(sealed.plan)) {
    return standing.scope.startsWith('watch:') ? 'The plan of the watch has changed.' : 'other';
  }
  if (standing.policy !== policyDigest(policy)) return 'The rules about who may approve have changed.';
  if (standing.catalogue !== catalogue) return 'The tools or the names that they work with have changed.';
  for (const userId of standing.yeses) {
    const verdict = await mayApprove({ ...judgedNow(stored, port), who: { userId, home: null } });
    if (verdict.allowed) continue;
    return verdict.why === 'cannot_tell' ? 'later' : 'Somebody who gave it may no longer approve this.';
  }
  const missing = await missingYeses(judgedNow(stored, port), standing.yeses);
  if (missing.length > 0) return 'later';
  return (await port.isAsGiven(standing)) ? null : changedTerms;
}

/** The maximum number of writes an approval leads to; null if it would make none, or that cannot be decided. */
function writesOf({ revision, facts }: StoredRevision, port: DecideDeps): number | null {
  const { plan } = revision.sealed;
  const manifests: Manifests = port.manifests();
  if (facts === null) {
    const all = plan.steps.filter(({ tool }) => manifests.get(tool)?.effect !== 'read').length;
    return port.rules().policy.reads === 'ask' && all > 0 ? all : null;
  }
  return prospectOf(plan, facts, manifests) === 'writes' ? facts.filter(isDescribed).length : null;
}
