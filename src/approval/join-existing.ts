import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from '../blocks/message.ts';
import type { Turn } from '../core/planning-turn.ts';
import { policyDigest } from '../core/policy.ts';
import type { Request } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { StoredRun } from './card-actions.ts';
import type { Rules } from './ports.ts';
import { joined, madeUnderOtherRules, sameUnderWay, waitsForYou } from './words.ts';

/** The newest revision of a request. */
export interface Holder {
  readonly isOpen: boolean;
  /** Its card is posted in Slack. */
  readonly isShown: boolean;
  readonly revision: Revision;
  /** The people who made the same request meanwhile. */
  readonly joiners: readonly string[];
}

export interface JoinPort {
  /** Joins a request to an equivalent one. */
  join(requestId: string, holder: string): Promise<void>;
  /** Closes a request without joining it to another. */
  close(requestId: string): Promise<unknown>;
  /** Whether a person's approval of an open card would count. */
  mayApprove(holder: Holder, userId: string): Promise<boolean>;
  /** Approves it as if clicked on the card: returns the granted run, or null after telling the person why not. */
  approve(revision: Revision, userId: string, say: Say): Promise<StoredRun | null>;
  /** `damaged`: it is waiting, and its stored plan was tampered with. */
  holder(requestId: string): Promise<Holder | 'damaged' | null>;
  /** Cancels a damaged one; false when it was decided meanwhile. */
  cancelDamaged(requestId: string): Promise<boolean>;
  /** Cancels its card. */
  cancel(revision: Revision, reason: string): Promise<void>;
  /** Updates the open card with the other requesters. */
  showAsked(revision: Revision): Promise<void>;
  /** Address of a card, or null while it has none. */
  linkTo(revision: Revision): Promise<string | null>;
}

/** Cancels a card that can no longer be approved because its rules have changed; false if the card can be joined. */
export async function clearedAway(
  holder: string,
  { policy, catalogue }: Rules,
  port: JoinPort,
): Promise<boolean> {
  const found = await port.holder(holder);
  if (found === 'damaged') return port.cancelDamaged(holder);
  if (!found?.isOpen) return false;
  const { sealed } = found.revision;
  if (sealed.policy === policyDigest(policy) && sealed.catalogue === catalogue) return false;
  await port.cancel(found.revision, madeUnderOtherRules);
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
  { request, turn }: { readonly request: Request; readonly turn: Turn },
  holder: string,
  port: JoinPort,
  say: Say,
): Promise<StoredRun | null> {
  if (turn.basedOn !== null) {
    await say(sameUnderWay());
    return null;
  }
  const { id, requester, via } = request;
  const before = await readable(holder, port);
  const askedBefore = before !== null && asked(before).includes(requester);
  if (before?.isOpen && (await isTheirs(before, request, port))) {
    const found = await onceShown(holder, port);
    if (found?.isOpen) {
      await port.close(id);
      if (via === 'button') return port.approve(found.revision, requester, say);
      const address = await port.linkTo(found.revision);
      // Drawn anew, a card that was deleted is posted again.
      if (address === null) await port.showAsked(found.revision);
      await say(waitsForYou(address));
      return null;
    }
  }
  await port.join(id, holder);
  const found = await onceShown(holder, port);
  if (found?.isOpen && found.isShown) await port.showAsked(found.revision);
  // A schedule repeats its request by itself; the card counts it.
  if (via === 'schedule') return null;
  const address = found && (await port.linkTo(found.revision));
  await say(joined({ isOpen: found?.isOpen ?? false, askedBefore, address }));
  return null;
}

/**
 * True for a person who may approve the waiting plan: a button click approves it, and a request in words would cost
 * them that right.
 */
async function isTheirs(
  holder: Holder,
  { requester, via }: Pick<Request, 'requester' | 'via'>,
  port: Pick<JoinPort, 'mayApprove'>,
): Promise<boolean> {
  if (via === 'schedule' || !(await port.mayApprove(holder, requester))) return false;
  const added = { ...holder, joiners: [...holder.joiners, requester] };
  return via === 'button' || !(await port.mayApprove(added, requester));
}

function asked({ revision, joiners }: Holder): readonly string[] {
  return [...revision.sealed.authors, ...joiners];
}

async function readable(requestId: string, port: JoinPort): Promise<Holder | null> {
  const found = await port.holder(requestId);
  return found === 'damaged' ? null : found;
}

/** An update to a card before it is posted would be lost, and its reads may still be running. */
async function onceShown(requestId: string, port: JoinPort): Promise<Holder | null> {
  for (let looks = 1; ; looks += 1) {
    const found = await readable(requestId, port);
    if (!found?.isOpen || found.isShown || looks === maxLooks) return found;
    await pause(lookMs);
  }
}
