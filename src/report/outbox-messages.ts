import type { Message } from '../blocks/message.ts';
import type { Revision, Sealed } from '../core/revision.ts';
import { cardKey } from '../store/outbox.ts';
import type { NewParcel, Place } from './ports.ts';

/** A card with its fallback for workspaces that reject its blocks. */
export interface Drawn {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** A reminder about a waiting card; sent once per `kind`. */
export interface Reminder {
  readonly kind: string;
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
}

/** Key of the reply with a step's outcome. */
export function stepKey(runId: string, stepId: string): string {
  return `reply:${runId}:${stepId}`;
}

/** `card` posts the card of a revision, `update` changes it. */
export function cardParcel(
  { sealed }: { readonly sealed: Pick<Sealed, 'teamId' | 'requestId' | 'number'> },
  kind: 'card' | 'update',
  { message, fallback }: Drawn,
): NewParcel {
  const { teamId, requestId, number } = sealed;
  const key = kind === 'card' ? cardKey(requestId, number) : cardStateKey(requestId, number);
  const place = { kind: 'card', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind, parcel: { place, message, fallback } };
}

/** A message in the thread of a card, once per key. */
export function threadParcel(
  { teamId, requestId, number }: Pick<Sealed, 'teamId' | 'requestId' | 'number'>,
  key: string,
  message: Message,
): NewParcel {
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind: 'reply', parcel: { place, message, fallback: null } };
}

/** A message to a channel or person, once per key; if Slack rejects it, it delays no other. */
export function placeParcel(
  teamId: string,
  place: Extract<Place, { kind: 'channel' | 'person' }>,
  key: string,
  message: Message,
): NewParcel {
  return { teamId, conversation: key, key, kind: 'private', parcel: { place, message, fallback: null } };
}

/** `message` posts the message of a watch, `update` changes it, `reply` goes to its thread. */
export function watchParcel(
  teamId: string,
  id: string,
  kind: 'message' | 'update' | 'reply',
  { key, message }: { readonly key: string; readonly message: Message },
): NewParcel {
  const place = { kind: kind === 'reply' ? 'watch_thread' : 'watch', id } as const;
  const parcel = { place, message, fallback: null };
  return { teamId, conversation: `watch:${id}`, key, kind: kind === 'update' ? 'update' : 'private', parcel };
}

/** Messages of a reminder: to the card's thread, and to people. */
export function reminderParcels({ sealed }: Revision, { kind, thread, direct }: Reminder): NewParcel[] {
  const { teamId, requestId, number } = sealed;
  const key = `${kind}:${requestId}:${number}`;
  const toPeople = direct.map(({ userId, message }) =>
    placeParcel(teamId, { kind: 'person', userId }, `${key}:${userId}`, message),
  );
  return thread === null ? toPeople : [threadParcel(sealed, key, thread), ...toPeople];
}

/** Key of the message in a card's thread that links to its replacement. */
export function movedKey(requestId: string, number: number): string {
  return `moved:${requestId}:${number}`;
}

/** Key of a card's final state. */
export function cardStateKey(requestId: string, number: number): string {
  return `${cardKey(requestId, number)}:state`;
}
