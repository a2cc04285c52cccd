import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { type Facts, prospectOf } from '../core/read-results.ts';
import type { Revision } from '../core/revision.ts';
import type { Manifests } from './card/step-view.ts';
import type { DecisionsPort, StoredRun } from './card-actions.ts';
import { approve } from './decide.ts';
import { refusalMessage } from './refusal-words.ts';
import { moreNeeded } from './words.ts';

export interface PressedPort extends DecisionsPort {
  /** Queues the card. */
  show(revision: Revision): Promise<void>;
  /** A way to reply to the requester, for as long as that is possible. */
  readonly voiceOf: (requestId: string) => Say | undefined;
}

/** True for the single write that a button requested, unchanged, if it would be made. */
export function isPressedYes({ sealed }: Revision, facts: Facts, manifests: Manifests): boolean {
  const { number, plan } = sealed;
  return number === 1 && plan.steps.length === 1 && prospectOf(plan, facts, manifests) === 'writes';
}

/**
 * A click on a button for a step is also its approval if that person may approve: it goes through the usual approval
 * path. If it does not count, or is not enough, the plan becomes a card for people who may.
 */
export async function pressedYes(
  { requestId, number }: { requestId: string; number: number },
  port: PressedPort,
): Promise<StoredRun | null> {
  const request = await port.request(requestId);
  if (request?.via !== 'button') return null;
  const { teamId } = request;
  const stored = await port.revisions.load(teamId, requestId, number);
  if (stored === null || stored.state !== 'proposed' || stored.facts === null) return null;
  const { revision, facts } = stored;
  if (!isPressedYes(revision, facts, port.manifests())) return null;
  const click = { teamId, userId: request.requester, home: null, value: writeCardRef(revision) };
  const decided = await approve({ ...click, from: 'details' }, port);
  if (decided.ok && decided.runId !== null) return { runId: decided.runId, requestId };
  const say = port.voiceOf(requestId);
  if (decided.ok) {
    await port.show(revision);
    if (decided.progress === undefined) return null;
    await port.showProgress(revision, decided.progress);
    await say?.(moreNeeded(decided.progress));
    return null;
  }
  if (decided.refusal.code === 'decided') return null;
  await port.show(revision);
  await say?.(refusalMessage(decided.refusal, ['It waits in the thread, on a card for those who may.']));
  return null;
}
