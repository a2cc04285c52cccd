import { z } from 'zod';
import type { Block, Message } from '../blocks/message.ts';
import { jsonOf } from '../core/json.ts';
import type { Request } from '../core/request.ts';
import type { Revision, Sealed } from '../core/revision.ts';
import { cardKey, type OutboxMessage } from './outbox.ts';

/** The messages of the outbox: where they go, and their keys. */

export const messageSchema = z.strictObject({ text: z.string(), blocks: z.array(z.custom<Block>()) });
const requestId = z.string();
const number = z.int();

/** The place of a message. Cards and threads are named by revision: their timestamps may not exist yet. */
const placeSchema = z.discriminatedUnion('kind', [
  /** `below`: the revision in whose thread it is shown; absent for a message of its own. */
  z.strictObject({ kind: z.literal('card'), requestId, number, below: number.optional() }),
  z.strictObject({ kind: z.literal('thread'), requestId, number }),
  z.strictObject({ kind: z.literal('channel'), channel: z.string(), threadTs: z.string().nullable() }),
  z.strictObject({ kind: z.literal('person'), userId: z.string() }),
  /** A question about a request. */
  z.strictObject({
    ...{ kind: z.literal('question'), requestId, channel: z.string(), threadTs: z.string().nullable() },
  }),
  /** A message in Slack, to be changed. */
  z.strictObject({ kind: z.literal('posted'), channel: z.string(), ts: z.string() }),
  /** The message that represents a watch, and its thread; the channel if it has no message. */
  z.strictObject({ kind: z.enum(['watch', 'watch_thread']), id: z.string() }),
  /** The message about a problem that alerts report, and its thread. */
  z.strictObject({ kind: z.enum(['alert', 'alert_thread']), id: z.string() }),
  /** The line beside the bot's name that says what it is doing in a thread; its text is empty when it is done. */
  z.strictObject({ kind: z.literal('doing'), channel: z.string(), threadTs: z.string(), title: z.string() }),
]);

/** The content of a queued message. `fallback` is sent where a workspace rejects the blocks of `message`. */
export const payloadSchema = z.strictObject({
  place: placeSchema,
  message: messageSchema,
  fallback: messageSchema.nullable(),
});
export type Place = z.infer<typeof placeSchema>;
/** A place outside the thread of a card. */
export type Receiver = Extract<Place, { kind: 'channel' | 'person' }>;

/** The content of a queued message. */
export interface Payload extends Drawn {
  readonly place: Place;
}

/** A message before it is in the outbox. */
export interface NewMessage extends Omit<OutboxMessage, 'payload' | 'now'> {
  readonly payload: Payload;
}

/** A message with its fallback for workspaces that reject its blocks. */
export interface Drawn {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** A reminder about a waiting card; sent once per `kind`. */
export interface ReminderMessages {
  readonly kind: string;
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
}

/** A message as it is queued. */
export function queued({ payload, ...message }: NewMessage, now: Date): OutboxMessage {
  return { ...message, payload: jsonOf(payload), now };
}

type RevisionId = Pick<Sealed, 'teamId' | 'requestId' | 'number'>;

/** `card` posts the card of a revision, in the thread of `below` if that is given; `update` changes it. */
export function cardMessage(
  { sealed }: { readonly sealed: RevisionId },
  kind: 'card' | 'update',
  { message, fallback }: Drawn,
  below: number | null = null,
): NewMessage {
  const { teamId, requestId, number } = sealed;
  const key = kind === 'card' ? cardKey(requestId, number) : `${cardKey(requestId, number)}:state`;
  const place = { kind: 'card', requestId, number, ...(below === null ? {} : { below }) } as const;
  return { teamId, conversation: requestId, key, kind, payload: { place, message, fallback } };
}

/** A message in the thread of a card, once per key. */
export function threadMessage(
  { teamId, requestId, number }: RevisionId,
  key: string,
  message: Message,
): NewMessage {
  const place = { kind: 'thread', requestId, number } as const;
  return { teamId, conversation: requestId, key, kind: 'reply', payload: { place, message, fallback: null } };
}

/** A message to a channel or person, once per key; if Slack rejects it, it delays no other. */
export function messageTo(teamId: string, place: Receiver, key: string, message: Message): NewMessage {
  return { teamId, conversation: key, key, kind: 'private', payload: { place, message, fallback: null } };
}

/** Posts a question about a request, once per key. */
export function questionToPost(
  { teamId, id: requestId, channel }: Pick<Request, 'teamId' | 'id' | 'channel'>,
  key: string,
  { threadTs, message }: { readonly threadTs: string | null; readonly message: Message },
): NewMessage {
  const place = { kind: 'question', requestId, channel, threadTs } as const;
  return {
    teamId,
    conversation: requestId,
    key,
    kind: 'private',
    payload: { place, message, fallback: null },
  };
}

/** Changes a question in Slack. */
export function questionToChange(
  { teamId, id, channel }: Pick<Request, 'teamId' | 'id' | 'channel'>,
  ts: string,
  message: Message,
): NewMessage {
  const payload = { place: { kind: 'posted', channel, ts } as const, message, fallback: null };
  return { teamId, conversation: id, key: `question:${id}:${ts}`, kind: 'update', payload };
}

/** `message` posts the message of a watch, `update` changes it, `reply` goes to its thread. */
export function watchMessage(
  teamId: string,
  id: string,
  kind: 'message' | 'update' | 'reply',
  { key, message }: { readonly key: string; readonly message: Message },
): NewMessage {
  const place = { kind: kind === 'reply' ? 'watch_thread' : 'watch', id } as const;
  const payload = { place, message, fallback: null };
  return {
    teamId,
    conversation: `watch:${id}`,
    key,
    kind: kind === 'update' ? 'update' : 'private',
    payload,
  };
}

/** The message about a problem that alerts report: `message` posts it, `update` changes it, `reply` goes to its thread. */
export function alertMessage(
  { teamId, id }: { readonly teamId: string; readonly id: string },
  kind: 'message' | 'update' | 'reply',
  key: string,
  message: Message,
): NewMessage {
  const place = { kind: kind === 'reply' ? 'alert_thread' : 'alert', id } as const;
  const conversation = `alert:${id}`;
  return {
    ...{
      teamId,
      conversation,
      key: `${conversation}:${key}`,
      kind: kind === 'update' ? 'update' : 'private',
    },
    payload: { place, message, fallback: null },
  };
}

/** Messages of a reminder: to the card's thread, and to people. */
export function reminderMessages(
  { sealed }: Revision,
  { kind, thread, direct }: ReminderMessages,
): NewMessage[] {
  const { teamId, requestId, number } = sealed;
  const key = `${kind}:${requestId}:${number}`;
  const toPeople = direct.map(({ userId, message }) =>
    messageTo(teamId, { kind: 'person', userId }, `${key}:${userId}`, message),
  );
  return thread === null ? toPeople : [threadMessage(sealed, key, thread), ...toPeople];
}

/** Key of the reply with a step's outcome. */
export function stepKey(runId: string, stepId: string): string {
  return `reply:${runId}:${stepId}`;
}

/** Key of the reply at the end of a run. */
export function finalKey(runId: string): string {
  return `final:${runId}`;
}
