import type { Plan } from '../core/plan.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import { isUnattended, type StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { ApprovalContext } from './context.ts';
import { noNewPlan } from './words.ts';

/** A rejected plan to be changed by the reason of its rejection. */
export interface Rejected extends NextTurn<StoredRequest> {
  readonly plan: Plan;
}

/** Maximum new plans of one request after rejections: then people have to say what they want. */
const maxByReason = 2;

/**
 * The turn that takes the reason of a rejection as a correction; null for requests that nobody asked in words, and after
 * too many. Whoever gave the reason counts as an author, as after any change in words.
 */
export async function turnByReason(
  revision: Revision,
  { userId, reason }: { readonly userId: string; readonly reason: string },
  { db, teamId }: ApprovalContext,
): Promise<Rejected | null> {
  const { requestId, number, plan } = revision.sealed;
  const [request, all] = await Promise.all([
    requests.get(db, teamId, requestId),
    revisions.listOf(db, teamId, requestId),
  ]);
  if (request === null || isUnattended(request) || request.via === 'button') return null;
  const isNewest = all.every((one) => one.number <= number);
  if (!isNewest || all.filter(({ state }) => state === 'rejected').length > maxByReason) return null;
  const turn = { ...firstTurn(userId, `rejected:${requestId}/${number}`), basedOn: revision, change: reason };
  return { request, turn: { ...turn, replaces: false }, plan };
}

/** Says once, below the rejected card, that its reason led to no other plan. */
export async function keepRejected(
  { turn: { basedOn } }: Rejected,
  why: string | null,
  { db, reporting }: ApprovalContext,
): Promise<void> {
  if (basedOn === null) return;
  const { requestId, number } = basedOn.sealed;
  await outbox.enqueue(db, reporting.toThread(basedOn.sealed, `kept:${requestId}:${number}`, noNewPlan(why)));
  reporting.kick();
}
