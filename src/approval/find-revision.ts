import { type CardRef, readCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import { DigestError, type RevisionState } from '../core/revision.ts';
import * as revisions from '../store/revisions.ts';
import { type StoredRevision, storedRevision } from '../store/stored-revision.ts';
import { auditRefusal } from './audit-refusal.ts';
import type { ApprovalContext } from './context.ts';
import { isFullMember } from './may-approve.ts';
import { type Refusal, refusalMessage } from './refusal-words.ts';

/** For finding the revision behind a click. */
export type FindContext = Pick<ApprovalContext, 'db' | 'teamId' | 'people' | 'maySee' | 'now' | 'cardLink'>;

/** A click on a card, or the submission of one of its modals. */
export interface Click extends Who {
  readonly teamId: string;
  /** Value of the button, or private metadata of the modal: ours, unless tampered with. */
  readonly value: string;
  /** Its revision, if that was asked for while the click was being stored. */
  readonly found?: ReturnType<typeof loadRevision> | undefined;
}

/** Asks for the revision behind a click that is not stored yet; nothing is done with the answer before. */
export function readAhead(
  value: string,
  context: Pick<ApprovalContext, 'db' | 'teamId'>,
): Pick<Click, 'found'> {
  const ref = readCardRef(value);
  if (ref === null) return {};
  const found = loadRevision(context, ref);
  // Who waits for it sees the error.
  found.catch(() => undefined);
  return { found };
}

export type Refused = { ok: false; refusal: Refusal };
export type Found = { ok: true; stored: StoredRevision } | Refused;
type Stoppable = { ok: true; ref: CardRef } | Refused;

/** The open or answered revision behind a click, to edit or read again, if this person may. */
export async function openForMember(click: Click, context: FindContext): Promise<Found> {
  return auditRefusal('open', click, context, await findForMember(click, context));
}

/** The run to stop, named by its revision. Every full member may: stopping writes nothing. */
export async function stoppable(click: Click, context: FindContext): Promise<Stoppable> {
  const ref = readCardRef(click.value);
  if (ref === null) return auditRefusal('stop', click, context, refuse({ code: 'not_ours' }));
  const verdict = await isFullMember(click, context.people);
  if (verdict.allowed) return { ok: true, ref };
  return auditRefusal('stop', click, context, refuse({ code: 'not_allowed', verdict }));
}

/** The revision behind a click, to be read again; also one that was approved and has run. */
export async function repeatable(click: Click, context: FindContext): Promise<Found> {
  const found = await findForMember(click, context, ['proposed', 'answered', 'approved']);
  return auditRefusal('open', click, context, found);
}

export async function findForMember(
  click: Click,
  context: FindContext,
  states: readonly RevisionState[] = ['proposed', 'answered'],
): Promise<Found> {
  const found = await findOpen(click, context, states);
  if (!found.ok) return found;
  const verdict = await isFullMember(click, context.people);
  if (!verdict.allowed) return refuse({ code: 'not_allowed', verdict });
  // A click may name a plan in a channel the person cannot read.
  if (await context.maySee(click.userId, found.stored.revision.sealed.requestId)) return found;
  return refuse({ code: 'not_allowed', verdict: { allowed: false, why: 'not_in_channel' } });
}

/** The revision that the value names, if it is the one shown and in one of these states. */
export async function findOpen(
  click: Click,
  context: FindContext,
  states: readonly RevisionState[] = ['proposed'],
): Promise<Found> {
  const ref = readCardRef(click.value);
  if (ref === null) return refuse({ code: 'not_ours' });
  const stored = await (click.found ?? loadRevision(context, ref));
  if (stored === 'changed') return refuse({ code: 'bytes_changed' });
  if (stored === null) return refuse({ code: 'not_found' });
  if (stored.revision.digest !== ref.digest) return refuse({ code: 'tampered' });
  if (states.includes(stored.state)) return { ok: true, stored };
  return refuse(await whyClosed(stored, context));
}

/** The revision that was found, or null after telling the person why not. */
export async function foundOrTold(found: Found, say: Say): Promise<StoredRevision | null> {
  if (found.ok) return found.stored;
  await say(refusalMessage(found.refusal));
  return null;
}

/** `changed` when the stored bytes do not match the stored digest. */
export async function loadRevision(
  { db, teamId }: Pick<ApprovalContext, 'db' | 'teamId'>,
  { requestId, number }: Pick<CardRef, 'requestId' | 'number'>,
): Promise<StoredRevision | 'changed' | null> {
  try {
    return await storedRevision(db, { teamId, requestId, number });
  } catch (error) {
    if (error instanceof DigestError) return 'changed';
    throw error;
  }
}

/** Why it is no longer open to decisions. */
export async function whyClosed(
  stored: StoredRevision,
  { db, teamId, cardLink }: Pick<ApprovalContext, 'db' | 'teamId' | 'cardLink'>,
): Promise<Refusal> {
  const { requestId, expiresAt } = stored.revision.sealed;
  if (stored.state === 'superseded') {
    const newest = await revisions.latest(db, teamId, requestId);
    return { code: 'superseded', newest: newest?.number ?? 0, address: await cardLink(newest) };
  }
  if (stored.state === 'expired') return { code: 'expired', at: expiresAt };
  return { code: 'decided', current: stored };
}

export function refuse(refusal: Refusal): Refused {
  return { ok: false, refusal };
}
