import { setTimeout as pause } from 'node:timers/promises';
import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { omissionNotes } from '../blocks/plan-notes.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Plan } from '../core/plan.ts';
import type { Turn } from '../core/planning-turn.ts';
import { isUnattended, type Request } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import { changedSince } from './basis.ts';
import { approveCard, cancelCard, cancelDamaged, type StoredRun } from './card-actions.ts';
import { type ApprovalContext, judgedNow } from './context.ts';
import { mayApprove } from './may-approve.ts';
import { joined, madeUnderOtherRules, sameUnderWay, waitsForYou } from './words.ts';

/** The newest revision of a request. */
interface Holder {
  readonly isOpen: boolean;
  /** Its card is posted in Slack. */
  readonly isShown: boolean;
  readonly revision: Revision;
  /** The people who made the same request meanwhile. */
  readonly joiners: readonly string[];
}

/** Cancels a card that can no longer be approved because its rules have changed; false if the card can be joined. */
export async function clearedAway(requestId: string, context: ApprovalContext): Promise<boolean> {
  const { db, teamId, damaged } = context;
  const row = await revisions.latest(db, teamId, requestId);
  if (row?.state !== 'proposed') return false;
  const revision = readRow(row, revisions.planReader, damaged);
  if (revision === null) return cancelDamaged(row, context);
  const changed = changedSince(revision.sealed, context.rules);
  if (changed.length === 0) return false;
  await cancelCard(revision, madeUnderOtherRules(changed), context);
  return true;
}

const lookMs = 100;
const maxLooks = 50;

/**
 * Joins a request to an equivalent active one; a change that would duplicate an active plan changes nothing. People who
 * may approve the waiting plan do not join it, as that would cost them the right: clicking a button is their approval,
 * and a request in words shows them the card.
 */
export async function join(
  { request, turn, plan }: { readonly request: Request; readonly turn: Turn; readonly plan: Plan },
  holder: string,
  context: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  const { db, teamId, reporting } = context;
  if (turn.basedOn !== null) {
    await say(sameUnderWay());
    return null;
  }
  const { id, requester, via } = request;
  const omissions = omissionNotes(plan);
  const before = await holderOf(holder, context);
  const askedBefore = before !== null && asked(before).includes(requester);
  if (before?.isOpen && (await isTheirs(before, request, context))) {
    const found = await onceShown(holder, context);
    if (found?.isOpen) {
      await requests.setState(db, { teamId, id, to: 'closed' });
      return via === 'button'
        ? approveWaiting(found.revision, requester, context, say)
        : showWaiting(found.revision, omissions, context, say);
    }
  }
  await requests.join(db, { teamId, id, holder });
  const found = await onceShown(holder, context);
  if (found?.isOpen && found.isShown) await reporting.asked(found.revision);
  // A schedule or an alert repeats its request by itself; the card counts it.
  if (isUnattended(request) && !request.agent) return null;
  const address = found && (await linkTo(found.revision, context));
  await say(joined({ isOpen: found?.isOpen ?? false, askedBefore, address, omissions }));
  return null;
}

/** Approves it as if clicked on the card. */
function approveWaiting(
  revision: Revision,
  userId: string,
  context: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  const click = { teamId: context.teamId, userId, home: null, value: writeCardRef(revision) };
  return approveCard({ ...click, from: 'card' }, context, say);
}

async function showWaiting(
  revision: Revision,
  omissions: readonly string[],
  context: ApprovalContext,
  say: Say,
): Promise<null> {
  const address = await linkTo(revision, context);
  // Drawn anew, a card that was deleted is posted again.
  if (address === null) await context.reporting.asked(revision);
  await say(waitsForYou({ address, omissions }));
  return null;
}

/**
 * True for a person who may approve the waiting plan: a button click approves it, and a request in words would cost
 * them that right.
 */
async function isTheirs(
  holder: Holder,
  asker: Pick<Request, 'requester' | 'via'>,
  context: ApprovalContext,
): Promise<boolean> {
  const { requester, via } = asker;
  const may = async (of: Holder): Promise<boolean> => {
    const who = { userId: requester, home: null };
    return (await mayApprove({ ...judgedNow(of, context), who })).allowed;
  };
  if (isUnattended(asker) || !(await may(holder))) return false;
  const added = { ...holder, joiners: [...holder.joiners, requester] };
  return via === 'button' || !(await may(added));
}

function asked({ revision, joiners }: Holder): readonly string[] {
  return [...revision.sealed.authors, ...joiners];
}

/** Null for one that is damaged, too. */
async function holderOf(requestId: string, { db, teamId, damaged }: ApprovalContext): Promise<Holder | null> {
  const row = await revisions.latest(db, teamId, requestId);
  const revision = row && readRow(row, revisions.planReader, damaged);
  if (row === null || revision === null) return null;
  const { requesters: joiners } = await requests.joinersOf(db, teamId, requestId);
  return { isOpen: row.state === 'proposed', isShown: row.cardTs !== null, revision, joiners };
}

/** An update to a card before it is posted would be lost, and its reads may still be running. */
async function onceShown(requestId: string, context: ApprovalContext): Promise<Holder | null> {
  for (let looks = 1; ; looks += 1) {
    const found = await holderOf(requestId, context);
    if (!found?.isOpen || found.isShown || looks === maxLooks) return found;
    await pause(lookMs);
  }
}

async function linkTo(
  { sealed: { requestId, number } }: Revision,
  { db, teamId, cardLink }: ApprovalContext,
): Promise<string | null> {
  return cardLink(await revisions.get(db, teamId, requestId, number));
}
