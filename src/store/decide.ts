import { randomUUID } from 'node:crypto';
import { storable } from './encode.ts';
import { audited } from './ledger.ts';
import { get, revisionEntry } from './revisions.ts';
import { begun } from './runs.ts';
import type { Db, RevisionRow } from './tables.ts';

export interface Decision {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  /** The digest on the card that was clicked. */
  readonly digest: string;
  readonly to: 'approved' | 'rejected' | 'cancelled';
  /** Slack user id. */
  readonly by: string;
  readonly reason: string | null;
  readonly now: Date;
  /** Id of the run that an approval makes; a fresh one unless given. */
  readonly runId?: string;
}

export type DecisionRefusal = 'not_found' | 'digest_mismatch' | 'expired' | 'superseded' | 'already_decided';

export type DecisionResult =
  | { readonly ok: true; readonly runId: string | null; readonly revision: RevisionRow }
  | { readonly ok: false; readonly why: DecisionRefusal; readonly current: RevisionRow | null };

/**
 * Decides about a revision: one compare-and-set on (number, digest, still proposed, for a yes not yet expired), so
 * of many clicks one wins. A yes stores the run, the grant and the audit line in the same transaction: either all
 * of them exist or the answer was no. Whether this person may decide is the caller's question.
 */
export function decide(db: Db, decision: Decision): Promise<DecisionResult> {
  return audited<DecisionResult>(db, decision.teamId, async (trx) => {
    const revision = await compareAndSet(trx, decision);
    if (revision === null) {
      const current = await get(trx, decision.teamId, decision.requestId, decision.number);
      return { value: { ok: false, why: refusal(current, decision), current }, lines: [] };
    }
    const runId = decision.to === 'approved' ? (decision.runId ?? randomUUID()) : null;
    if (runId !== null) await grantRun(trx, decision, runId);
    const more = { ...(runId === null ? {} : { run: runId }), reason: decision.reason };
    const line = revisionEntry(revision, decision.to, decision.by, decision.now, more);
    return { value: { ok: true, runId, revision }, lines: [line] };
  });
}

async function compareAndSet(trx: Db, decision: Decision): Promise<RevisionRow | null> {
  const reason = decision.reason === null ? null : storable(decision.reason);
  const row = await trx
    .updateTable('revisions')
    .set({ state: decision.to, decidedBy: decision.by, decidedAt: decision.now, reason })
    .where('teamId', '=', decision.teamId)
    .where('requestId', '=', decision.requestId)
    .where('number', '=', decision.number)
    .where('digest', '=', decision.digest)
    .where('state', '=', 'proposed')
    .$if(decision.to === 'approved', (query) => query.where('expiresAt', '>', decision.now))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function grantRun(trx: Db, decision: Decision, runId: string): Promise<void> {
  const { teamId, requestId, number, digest, by, now } = decision;
  await trx
    .insertInto('runs')
    .values({ teamId, id: runId, requestId, number, mode: 'run', startedAt: now, ...begun })
    .execute();
  await trx
    .insertInto('grants')
    .values({ teamId, runId, requestId, number, digest, approver: by, createdAt: now, consumedAt: null })
    .execute();
}

/** Why nothing was changed. A wrong digest comes first: then the click was not about this revision at all. */
function refusal(current: RevisionRow | null, decision: Decision): DecisionRefusal {
  if (current === null) return 'not_found';
  if (current.digest !== decision.digest) return 'digest_mismatch';
  if (current.state === 'superseded') return 'superseded';
  if (current.state === 'expired' || current.state === 'proposed') return 'expired';
  return 'already_decided';
}
