import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from '../blocks/message.ts';
import { policyDigest } from '../core/policy.ts';
import type { Request } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { Turn } from '../core/turn.ts';
import type { StoredRun } from './decisions.ts';
import type { Rules } from './ports.ts';
import { joined, madeUnderOtherRules, sameUnderWay, waitsForYou } from './words.ts';

/** The newest revision of a request. */
export interface Holder {
  readonly isOpen: boolean;
  /** Its card stands in Slack. */
  readonly isShown: boolean;
  readonly revision: Revision;
  /** Who has asked for the same meanwhile. */
  readonly joiners: readonly string[];
}

export interface JoinPort {
  /** Adds a request to one that asks for the same. */
  join(requestId: string, holder: string): Promise<void>;
  /** Closes a request without adding it to any. */
  close(requestId: string): Promise<unknown>;
  /** Whether somebody's yes to an open card would count. */
  mayApprove(holder: Holder, userId: string): Promise<boolean>;
  /** Their yes to it, as if given on the card: the run that it grants, or null after they were told why not. */
  approve(revision: Revision, userId: string, say: Say): Promise<StoredRun | null>;
  /** `damaged`: it waits, and what is stored of it was changed. */
  holder(requestId: string): Promise<Holder | 'damaged' | null>;
  /** Takes a damaged one out of play; false when it was decided meanwhile. */
  cancelDamaged(requestId: string): Promise<boolean>;
  /** Takes its card out of play. */
  cancel(revision: Revision, reason: string): Promise<void>;
  /** The open card says who else asked. */
  showAsked(revision: Revision): Promise<void>;
  /** Address of a card, or null while it has none. */
  linkTo(revision: Revision): Promise<string | null>;
}

/**
 * Takes a card out of play that nobody can approve any more, because it was made under other rules; false where it can be
 * joined.
 */
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
 * Whoever asks for what is under way joins it; a change that would make two of the same changes nothing. Who may approve
 * what waits does not join it, as that would take the right away: a button is their yes, and words show them the card.
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
  // A clock asks again by itself; its card counts it.
  if (via === 'schedule') return null;
  const address = found && (await port.linkTo(found.revision));
  await say(joined({ isOpen: found?.isOpen ?? false, askedBefore, address }));
  return null;
}

/** True for who may approve what waits: by the button that asks for it, or by words that would take the right away. */
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

/** What is said of a card before it stands would be lost, and its reads may still run. */
async function onceShown(requestId: string, port: JoinPort): Promise<Holder | null> {
  for (let looks = 1; ; looks += 1) {
    const found = await readable(requestId, port);
    if (!found?.isOpen || found.isShown || looks === maxLooks) return found;
    await pause(lookMs);
  }
}
