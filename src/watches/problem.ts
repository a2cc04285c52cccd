import { VendorError } from '../core/errors.ts';
import type { RequestState } from '../core/request.ts';
import type { RevisionState } from '../core/revision.ts';

/** The state of the last request made for a problem. */
export type ProblemState =
  | { readonly kind: 'waits' | 'expired' | 'under_way' }
  /** Its run is over; `incident` is PagerDuty's state of an incident it made. */
  | { readonly kind: 'acted'; readonly incident: 'none' | 'open' | 'resolved' }
  /** Rejected, answered, or never shown. */
  | { readonly kind: 'settled' };

/** The card or answer of a problem: its newest revision. */
export interface ProblemCard {
  readonly requestId: string;
  readonly number: number;
  readonly state: RevisionState;
  readonly expiresAt: Date;
  /** Its location; null while it is on its way. */
  readonly ts: string | null;
}

/** A problem's request, or the one it joined. */
export interface ProblemHead {
  readonly requestId: string;
  readonly requester: string;
  readonly threadTs: string | null;
  readonly state: RequestState;
  readonly isJoined: boolean;
  readonly card: ProblemCard | null;
}

export interface ProblemPort {
  head(requestId: string): Promise<ProblemHead | null>;
  isRunning(card: ProblemCard): Promise<boolean>;
  /** Whether each incident of its thread is open, according to PagerDuty now. Throws a VendorError. */
  incidents(requestId: string): Promise<readonly boolean[]>;
  /** The people who made the same request. */
  joiners(requestId: string): Promise<readonly string[]>;
  /** Cancels a card, unless it was decided meanwhile, and updates it. */
  cancel(card: ProblemCard, reason: string): Promise<void>;
  readonly now: () => Date;
}

export async function problemState(requestId: string, port: ProblemPort): Promise<ProblemState> {
  const head = await port.head(requestId);
  if (head === null) return { kind: 'settled' };
  if (head.state === 'planning' || head.state === 'asking') return { kind: 'under_way' };
  const { card } = head;
  if (card === null) return { kind: 'settled' };
  if (card.state === 'proposed') return { kind: card.expiresAt > port.now() ? 'waits' : 'expired' };
  if (card.state === 'expired') return { kind: 'expired' };
  if (card.state !== 'approved') return { kind: 'settled' };
  if (await port.isRunning(card)) return { kind: 'under_way' };
  return { kind: 'acted', incident: await incidentState(head.requestId, port) };
}

/** One open incident is enough; a failed look-up counts as open, so that nobody is asked twice. */
async function incidentState(
  requestId: string,
  port: Pick<ProblemPort, 'incidents'>,
): Promise<'none' | 'open' | 'resolved'> {
  try {
    const incidents = await port.incidents(requestId);
    if (incidents.length === 0) return 'none';
    return incidents.some((isOpen) => isOpen) ? 'open' : 'resolved';
  } catch (error) {
    if (error instanceof VendorError) return 'open';
    throw error;
  }
}

/** The first message of a problem's thread: the request's own, or its card. */
export async function threadOf(requestId: string, port: Pick<ProblemPort, 'head'>): Promise<string | null> {
  const head = await port.head(requestId);
  return head?.threadTs ?? head?.card?.ts ?? null;
}

/** Cancels a card that needs no decision any more; one that somebody else requested as well stays. */
export async function closeCard(requestId: string, reason: string, port: ProblemPort): Promise<void> {
  const head = await port.head(requestId);
  if (head?.card?.state !== 'proposed' || head.isJoined) return;
  const others = await port.joiners(requestId);
  if (others.some((one) => one !== head.requester)) return;
  await port.cancel(head.card, reason);
}
