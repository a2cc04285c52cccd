import type { Message } from '../blocks/message.ts';
import type { Revision, Sealed } from '../core/revision.ts';
import type { NewParcel, Place } from './ports.ts';

/** A card with what stands in for it where a workspace does not take its blocks. */
export interface Drawn {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** What is said about a card that waits; `kind` makes it once. */
export interface Reminder {
  readonly kind: string;
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
}

/** Key of the reply that tells how a step ended. */
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

/** A word in the thread of a card, once under its key. */
export function threadParcel(
  { teamId, requestId, number }: Pick<Sealed, 'teamId' | 'requestId' | 'number'>,
  key: string,
  message: Message,
  fallback: Message | null = null,
): NewParcel {
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind: 'reply', parcel: { place, message, fallback } };
}

/** A word to a channel or a person, once under its key; where Slack does not take it, it holds nothing else up. */
export function placeParcel(
  teamId: string,
  place: Extract<Place, { kind: 'channel' | 'person' }>,
  key: string,
  message: Message,
): NewParcel {
  return { teamId, conversation: key, key, kind: 'private', parcel: { place, message, fallback: null } };
}

/** `message` posts what a watch is known by, `update` changes it, `reply` goes to its thread. */
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

/** A reminder of a card: to its thread, and to people. */
export function reminderParcels({ sealed }: Revision, { kind, thread, direct }: Reminder): NewParcel[] {
  const { teamId, requestId, number } = sealed;
  const key = `${kind}:${requestId}:${number}`;
  const toPeople = direct.map(({ userId, message }) =>
    placeParcel(teamId, { kind: 'person', userId }, `${key}:${userId}`, message),
  );
  return thread === null ? toPeople : [threadParcel(sealed, key, thread), ...toPeople];
}

/** Key under which the card of a revision is posted, once. */
export function cardKey(requestId: string, number: number): string {
  return `card:${requestId}:${number}`;
}

/** Key of the word in a card's thread that says which card has taken its place. */
export function movedKey(requestId: string, number: number): string {
  return `moved:${requestId}:${number}`;
}

/** Key of what the card says when it no longer is open. */
export function cardStateKey(requestId: string, number: number): string {
  return `${cardKey(requestId, number)}:state`;
}
