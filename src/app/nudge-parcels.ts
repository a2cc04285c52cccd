import type { Nudge } from '../approval/nudge.ts';
import type { Message } from '../blocks/message.ts';
import type { Revision } from '../core/revision.ts';
import type { NewParcel } from '../report/ports.ts';

/** A reminder as messages, each once under its key. */
export function nudgeParcels(
  { sealed }: Revision,
  { kind, thread, direct }: Pick<Nudge, 'kind' | 'thread' | 'direct'>,
): NewParcel[] {
  const { teamId, requestId, number } = sealed;
  const key = `${kind}:${requestId}:${number}`;
  const toThread = thread === null ? [] : [threadParcel(sealed, key, thread)];
  const toPeople = direct.map(({ userId, message }): NewParcel => {
    const parcel = { place: { kind: 'person', userId } as const, message, fallback: null };
    // A conversation of its own: whom Slack does not reach must not hold up the card.
    return { teamId, conversation: `${key}:${userId}`, key: `${key}:${userId}`, kind: 'private', parcel };
  });
  return [...toThread, ...toPeople];
}

/** A word in the thread of a card, once under its key. */
export function threadParcel(
  { teamId, requestId, number }: Revision['sealed'],
  key: string,
  message: Message,
): NewParcel {
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind: 'reply', parcel: { place, message, fallback: null } };
}
