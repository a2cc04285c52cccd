import { canonicalJson } from '../core/canonical.ts';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import { type Sealed, unseal } from '../core/revision.ts';
import type { ActiveRun } from './active-run.ts';
import { durably } from './attempt.ts';
import { type Draft, failed, skipped } from './draft.ts';
import { personWords } from './gate.ts';
import type { Grant } from './ports.ts';

/** A yes holds this long at least, even when the card would have expired sooner. */
const grantMs = 15 * 60_000;

export type Permission =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly refused: Draft };

const no = (refused: Draft): Permission => ({ ok: false, refused });

/** What the kill switch or a cancel says to a write, or null when neither was used. */
export async function stopped(run: ActiveRun): Promise<Draft | null> {
  const { store } = run.deps;
  const [kill, cancel] = await Promise.all([store.killSwitch(run.key.teamId), store.cancelOf(run.key)]);
  if (kill !== null) {
    const why = kill.reason === '' ? '' : `: ${kill.reason}`;
    return failed(
      'kill_switch',
      `${personWords(run, kill.actor)} stopped all writes${why}. Nothing was sent.`,
    );
  }
  if (cancel === null) return null;
  return skipped('cancelled', `Not started: ${personWords(run, cancel.by)} cancelled the run.`);
}

/**
 * May this write be made now? Asked of the database directly before every write: kill switch, cancel, grant, the
 * digest over the bytes that were approved, the step inside them, the rules they were reviewed against, expiry.
 */
export async function permission(run: ActiveRun, step: Step): Promise<Permission> {
  return durably(async () => {
    const answer = await mayWrite(run, step);
    if (!answer.ok && answer.refused.reason?.code === 'digest_mismatch') {
      await tampering(run, step, answer.refused.reason.message);
    }
    return answer;
  }, run.deps.sleep);
}

async function mayWrite(run: ActiveRun, step: Step): Promise<Permission> {
  const { store, now } = run.deps;
  const stop = await stopped(run);
  if (stop !== null) return no(stop);
  const { requestId, number } = run.sealed;
  const revision = await store.revision(run.key.teamId, requestId, number);
  const check = await store.consumeGrant({ ...run.key, digest: revision?.digest ?? '', now: now() });
  if (revision === null || !check.ok) {
    const why = check.ok ? 'no_revision' : check.why;
    const code = why === 'digest_mismatch' ? why : 'no_grant';
    return no(failed(code, `There is no valid approval for this write (${why}). Nothing was sent.`));
  }
  return sameBytes(run, step, revision.bytes, check.grant);
}

/** Somebody changed what was approved after the run had begun: the log must say so, also when the row is put back. */
async function tampering(run: ActiveRun, step: Step, message: string): Promise<void> {
  const { requestId, number } = run.sealed;
  await run.deps.store.audit({
    teamId: run.key.teamId,
    at: run.deps.now(),
    kind: 'revision.tampered',
    actor: 'system',
    subject: `revision:${requestId}/${number}`,
    data: { reason: message, run: run.key.runId, step: step.id, approved: run.digest },
  });
}

function sameBytes(run: ActiveRun, step: Step, bytes: string, grant: Grant): Permission {
  let sealed: Sealed;
  try {
    sealed = unseal(bytes, grant.digest).sealed;
  } catch (error) {
    return no(failed('digest_mismatch', describeError(error).message));
  }
  const approved = sealed.plan.steps.find((one) => one.id === step.id);
  if (grant.digest !== run.digest || canonicalJson(approved ?? null) !== canonicalJson(step)) {
    return no(failed('digest_mismatch', 'The plan is not the one that was approved; nothing was sent.'));
  }
  if (sealed.catalogue !== run.rules.catalogue || sealed.policy !== run.rules.policy) {
    const message = 'The configuration has changed since this was approved. Nothing was sent; plan it again.';
    return no(failed('rules_changed', message));
  }
  const until = Math.max(Date.parse(sealed.expiresAt), grant.createdAt.getTime() + grantMs);
  if (run.deps.now().getTime() > until) {
    const when = new Date(until).toISOString().slice(11, 16);
    return no(failed('expired', `The approval held until ${when} UTC. Nothing was sent; plan it again.`));
  }
  return { ok: true, grant };
}
