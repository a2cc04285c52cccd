import { writeCardRef } from '../blocks/card-ref.ts';
import { type Facts, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import * as requests from '../store/requests.ts';
import { storedRevision } from '../store/stored-revision.ts';
import type { Manifests } from './card/step-view.ts';
import type { StoredRun } from './card-actions.ts';
import type { ApprovalContext } from './context.ts';
import { approve } from './decide.ts';
import { refusalMessage } from './refusal-words.ts';
import { moreNeeded } from './words.ts';

/** True for the single write that a button requested, unchanged, if it would be made. */
export function isButtonWrite({ sealed }: Revision, facts: Facts, manifests: Manifests): boolean {
  const { number, plan } = sealed;
  return number === 1 && plan.steps.length === 1 && prospectOf(plan, facts, manifests) === 'writes';
}

/**
 * A click on a button for a step is also its approval if that person may approve: it goes through the usual approval
 * path. If it does not count, or is not enough, the plan becomes a card for people who may.
 */
export async function approveByButton(
  { requestId, number }: { requestId: string; number: number },
  ctx: ApprovalContext,
): Promise<StoredRun | null> {
  const { db, teamId, manifests, reporting } = ctx;
  const request = await requests.get(db, teamId, requestId);
  if (request?.via !== 'button') return null;
  const stored = await storedRevision(db, { teamId, requestId, number });
  if (stored === null || stored.state !== 'proposed' || stored.facts === null) return null;
  const { revision, facts } = stored;
  if (!isButtonWrite(revision, facts, manifests)) return null;
  const click = { teamId, userId: request.requester, home: null, value: writeCardRef(revision) };
  const decided = await approve({ ...click, from: 'details' }, ctx);
  if (decided.ok && decided.runId !== null) return { runId: decided.runId, requestId };
  const say = ctx.replyTo(requestId);
  if (decided.ok) {
    await reporting.propose(revision);
    if (decided.progress === undefined) return null;
    await reporting.progress(revision, decided.progress);
    await say?.(moreNeeded(decided.progress));
    return null;
  }
  if (decided.refusal.code === 'decided') return null;
  await reporting.propose(revision);
  await say?.(refusalMessage(decided.refusal, ['It waits in the thread, on a card for those who may.']));
  return null;
}
