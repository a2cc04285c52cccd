import { type CardRef, readCardRef } from '../blocks/card-ref.ts';
import type { Who } from '../core/person.ts';
import { DigestError, type RevisionState } from '../core/revision.ts';
import { type Noting, noted } from './audit-refusal.ts';
import { isFullMember } from './may-approve.ts';
import type { PeopleDirectory, Revisions, StoredRevision } from './ports.ts';
import type { Refusal } from './refusal-words.ts';

/** Dependencies for finding the revision behind a click. */
export interface ClickPort extends Noting {
  readonly revisions: Revisions;
  readonly people: PeopleDirectory;
  /** True for the requester, and for members of the channel with its card. */
  maySee(userId: string, requestId: string): Promise<boolean>;
}

/** A click on a card, or the submission of one of its modals. */
export interface Click extends Who {
  readonly teamId: string;
  /** Value of the button, or private metadata of the modal: ours, unless tampered with. */
  readonly value: string;
}

export type Refused = { ok: false; refusal: Refusal };
export type Found = { ok: true; stored: StoredRevision } | Refused;
type Stoppable = { ok: true; ref: CardRef } | Refused;

/** The open or answered revision behind a click, to edit or read again, if this person may. */
export async function openForMember(click: Click, port: ClickPort): Promise<Found> {
  return noted('open', click, port, await findForMember(click, port));
}

/** The run to stop, named by its revision. Every full member may: stopping writes nothing. */
export async function stoppable(click: Click, port: ClickPort): Promise<Stoppable> {
  const ref = readCardRef(click.value);
  if (ref === null) return noted('stop', click, port, refuse({ code: 'not_ours' }));
  const verdict = await isFullMember(click, port.people);
  if (verdict.allowed) return { ok: true, ref };
  return noted('stop', click, port, refuse({ code: 'not_allowed', verdict }));
}

/** The revision behind a click, to be read again; also one that was approved and has run. */
export async function repeatable(click: Click, port: ClickPort): Promise<Found> {
  const found = await findForMember(click, port, ['proposed', 'answered', 'approved']);
  return noted('open', click, port, found);
}

export async function findForMember(
  click: Click,
  port: ClickPort,
  states: readonly RevisionState[] = ['proposed', 'answered'],
): Promise<Found> {
  const found = await findOpen(click, port, states);
  if (!found.ok) return found;
  const verdict = await isFullMember(click, port.people);
  if (!verdict.allowed) return refuse({ code: 'not_allowed', verdict });
  // A click may name a plan in a channel the person cannot read.
  if (await port.maySee(click.userId, found.stored.revision.sealed.requestId)) return found;
  return refuse({ code: 'not_allowed', verdict: { allowed: false, why: 'not_in_channel' } });
}

/** The revision that the value names, if it is the one shown and in one of these states. */
export async function findOpen(
  click: Click,
  port: ClickPort,
  states: readonly RevisionState[] = ['proposed'],
): Promise<Found> {
  const ref = readCardRef(click.value);
  if (ref === null) return refuse({ code: 'not_ours' });
  const stored = await loadRevision(click.teamId, ref.requestId, ref.number, port);
  if (stored === 'changed') return refuse({ code: 'bytes_changed' });
  if (stored === null) return refuse({ code: 'not_found' });
  if (stored.revision.digest !== ref.digest) return refuse({ code: 'tampered' });
  if (states.includes(stored.state)) return { ok: true, stored };
  return refuse(await whyClosed(stored, click.teamId, port));
}

/** `changed` when the stored bytes do not match the stored digest. */
export async function loadRevision(
  teamId: string,
  requestId: string,
  number: number,
  port: ClickPort,
): Promise<StoredRevision | 'changed' | null> {
  try {
    return await port.revisions.load(teamId, requestId, number);
  } catch (error) {
    if (error instanceof DigestError) return 'changed';
    throw error;
  }
}

/** Why it is no longer open to decisions. */
export async function whyClosed(stored: StoredRevision, teamId: string, port: ClickPort): Promise<Refusal> {
  const { sealed } = stored.revision;
  if (stored.state === 'superseded') {
    return { code: 'superseded', newest: await port.revisions.newest(teamId, sealed.requestId) };
  }
  if (stored.state === 'expired') return { code: 'expired', at: sealed.expiresAt };
  return { code: 'decided', current: stored };
}

export function refuse(refusal: Refusal): Refused {
  return { ok: false, refusal };
}
