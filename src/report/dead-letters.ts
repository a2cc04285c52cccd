import { fitBlocks } from '../blocks/fit.ts';
import type { Message, Say } from '../blocks/message.ts';
import { noticeBlock } from '../blocks/note.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { StoredRequest } from '../core/request.ts';
import { type NewParcel, type Parcel, type Place, parcelSchema, type QueuedParcel } from './ports.ts';
import { type LostAt, lostElsewhere, undeliverable } from './undeliverable.ts';

export interface DeadLetterPort {
  request(id: string): Promise<StoredRequest | null>;
  /** Cancels a plan whose card nobody can see. */
  closeUnseen(requestId: string): Promise<void>;
  /** The last person who approved a request, or null. */
  lastApprover(requestId: string): Promise<string | null>;
  /** A watch's owner and channel, or null if there is no such watch. */
  watch(id: string): Promise<{ readonly owner: string; readonly channel: string } | null>;
  /** The operators' places: people, then a channel. */
  operators(): Promise<readonly Receiver['place'][]>;
  /** A way to reply to the requester in place; undefined once it is too late. */
  voiceOf(requestId: string): Say | undefined;
  /** How to invite the bot if that resolves the error, else null. */
  invitation(error: unknown, channel: string): Promise<Message | null>;
  readonly log: Log;
}

interface Receiver {
  readonly place: Extract<Place, { kind: 'person' | 'channel' }>;
  /** May read the content of the lost message. */
  readonly isParty: boolean;
}

/** The request or watch a lost message belongs to. */
interface About {
  readonly request: StoredRequest | null;
  readonly watch: Awaited<ReturnType<DeadLetterPort['watch']>>;
  readonly error: unknown;
}

/**
 * Decides on a replacement for a message that Slack rejects because its channel, thread or card is gone, and on its
 * receiver. It waits in the outbox like any other message, so that it survives this process, and goes to the next
 * person if the first is unreachable, too. Null when nobody needs to be told, or was told already.
 */
export function onDeadParcel(
  port: DeadLetterPort,
): (parcel: QueuedParcel, error: unknown) => Promise<NewParcel | null> {
  return async (parcel, error) => {
    // A card that cannot be updated shows an older state; the thread has the rest.
    if (parcel.kind === 'update') return null;
    const [, watchId] = /^watch:(.+)$/.exec(parcel.conversation) ?? [];
    const request = await port.request(parcel.conversation);
    const about = { request, watch: watchId === undefined ? null : await port.watch(watchId), error };
    if (parcel.kind === 'card') {
      await port.closeUnseen(parcel.conversation);
      if (request !== null && (await toldThere(request, error, port))) return null;
    }
    const receiver = nextReceiver(parcel, await receiversOf(about, port));
    if (receiver !== undefined)
      return noteTo(receiver, parcel, await wordsFor(receiver, parcel, about, port));
    port.log.error({ key: parcel.key }, 'Could not notify anybody of a lost message');
    return null;
  };
}

async function toldThere(request: StoredRequest, error: unknown, port: DeadLetterPort): Promise<boolean> {
  const voice = port.voiceOf(request.id);
  if (voice === undefined) return false;
  try {
    await voice(await cardWords(request, error, port));
    return true;
  } catch (failed) {
    port.log.warn(describeError(failed), 'The person who asked could not be answered there');
    return false;
  }
}

/** Only cards get the advice on inviting the bot: someone who misses part of a report must not read that nothing ran. */
async function cardWords(request: StoredRequest, error: unknown, port: DeadLetterPort): Promise<Message> {
  return (
    (await port.invitation(error, request.channel)) ??
    undeliverable(describeError(error).message, lostAt(request))
  );
}

/** The requester, the last approver or the watch's owner; then the operators. */
async function receiversOf({ request, watch }: About, port: DeadLetterPort): Promise<Receiver[]> {
  const approver = request && (await port.lastApprover(request.id));
  const parties = [request?.requester, approver, watch?.owner].filter((id) => /^[UW]/.test(id ?? ''));
  // A message about no request or watch is about the bot itself.
  const isOurs = request === null && watch === null;
  const operators = await port.operators();
  return [
    ...[...new Set(parties)].map(
      (id): Receiver => ({ place: { kind: 'person', userId: id ?? '' }, isParty: true }),
    ),
    ...operators.map((place): Receiver => ({ place, isParty: isOurs })),
  ];
}

/** The first receiver other than the unreachable one; for a note, the next one in line. */
function nextReceiver(parcel: QueuedParcel, receivers: readonly Receiver[]): Receiver | undefined {
  const failed = nameOf(placeOf(parcel));
  const tried = noteKey.test(parcel.key) ? receivers.findIndex(({ place }) => nameOf(place) === failed) : -1;
  return receivers.slice(tried + 1).find(({ place }) => nameOf(place) !== failed);
}

async function wordsFor(
  { isParty }: Receiver,
  parcel: QueuedParcel,
  about: About,
  port: DeadLetterPort,
): Promise<Message> {
  const { request, watch, error } = about;
  const { message: why } = describeError(error);
  if (!isParty) {
    const where = nameOf(placeOf(parcel)) || (request?.channel ?? watch?.channel ?? '');
    return lostElsewhere(where, why, parcel.key);
  }
  if (parcel.kind === 'card' && request !== null) return cardWords(request, error, port);
  const said = parcel.kind === 'reply' ? null : read(parcel)?.message;
  // A note that its first receiver did not get already says everything.
  if (said && noteKey.test(parcel.key)) return said;
  const words = (text: string) => undeliverable(text, lostAt(request, watch));
  return said ? both(words(why), said, error) : words(why);
}

function lostAt(request: StoredRequest | null, watch: About['watch'] = null): LostAt {
  return { channel: request?.channel ?? watch?.channel ?? '', goal: request?.goal ?? '' };
}

/** In one message; the lost text in plain words when Slack rejects the blocks themselves. */
function both(lost: Message, said: Message, error: unknown): Message {
  const all = [...lost.blocks, ...said.blocks];
  const isRefused = describeError(error).code === 'slack_invalid_blocks';
  const isPlain = isRefused || fitBlocks(all, 'message').length > 0;
  return { text: said.text, blocks: isPlain ? [...lost.blocks, noticeBlock(said)] : all };
}

/** `lost:<receiver>:<lost message>`. */
const noteKey = /^lost:[^:]+:(.+)$/s;

/** One note for everything missing in a thread, and one for each outcome. */
function noteTo(
  { place }: Receiver,
  { teamId, conversation, kind, key }: QueuedParcel,
  message: Message,
): NewParcel {
  const lost = kind === 'card' || kind === 'reply' ? conversation : key;
  const [, first = lost] = noteKey.exec(key) ?? [];
  const parcel = { place, message, fallback: null };
  return { teamId, conversation, key: `lost:${nameOf(place)}:${first}`, kind: 'private', parcel };
}

function read({ payload }: QueuedParcel): Parcel | null {
  const parcel = parcelSchema.safeParse(payload);
  return parcel.success ? parcel.data : null;
}

const placeOf = (parcel: QueuedParcel): Place | null => read(parcel)?.place ?? null;

function nameOf(place: Place | null): string {
  if (place?.kind === 'person') return place.userId;
  return place?.kind === 'channel' ? place.channel : '';
}
