import { cut } from '../core/clean-text.ts';
import type { WriteFacts } from '../store/write-facts.ts';
import type { ActiveRun } from './active-run.ts';
import { cancelled, personWords } from './may-start.ts';
import { failed, type StepOutcome } from './step-outcome.ts';

/** Minimum validity of an approval, even when the card would have expired sooner. */
const grantMs = 15 * 60_000;

/**
 * Why a write may not be made now, or null when it may. Checked before every attempt, with facts read in the
 * transaction that records it: kill switch, cancel, grant, the digest of the approved bytes, the rules they were
 * reviewed against, expiry.
 */
export function refusal(run: ActiveRun, facts: WriteFacts): StepOutcome | null {
  const { kill, cancel, grant, revision } = facts;
  if (kill !== null) {
    const why = kill.reason === '' ? '' : `: ${kill.reason}`;
    const message = `${personWords(run, kill.actor)} stopped all writes${why}. Nothing was sent.`;
    return failed('kill_switch', message);
  }
  if (cancel !== null) return cancelled(run, cancel);
  if (grant === null || revision === null) {
    const why = grant === null ? 'no_grant' : 'no_revision';
    return failed('no_grant', `There is no valid approval for this write (${why}). Nothing was sent.`);
  }
  const digests = [revision.digest, revision.bytesDigest, grant.digest];
  // The steps that run must be from the bytes with this digest.
  if (digests.some((digest) => digest !== run.digest)) {
    return failed('digest_mismatch', 'The plan is not the one that was approved; nothing was sent.');
  }
  return rulesChanged(run) ?? expired(run, grant.createdAt);
}

function rulesChanged({ sealed, deps }: ActiveRun): StepOutcome | null {
  const changed = deps.changedSince(sealed);
  if (changed.length === 0) return null;
  const message = cut(
    `Changed since this was approved: ${changed.join(', ')}. Nothing was sent; plan it again.`,
    400,
  );
  return failed('rules_changed', message);
}

function expired({ sealed, deps }: ActiveRun, grantedAt: Date): StepOutcome | null {
  const until = Math.max(Date.parse(sealed.expiresAt), grantedAt.getTime() + grantMs);
  if (deps.now().getTime() <= until) return null;
  const when = new Date(until).toISOString().slice(11, 16);
  return failed('expired', `The approval held until ${when} UTC. Nothing was sent; plan it again.`);
}
