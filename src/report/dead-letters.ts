import { LRUCache } from 'lru-cache';
import type { Message, Say } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { StoredRequest } from '../core/request.ts';
import { parcelSchema, type QueuedParcel } from './ports.ts';
import { undeliverable } from './private.ts';

export interface DeadLetterPort {
  request(id: string): Promise<StoredRequest | null>;
  /** Takes a plan out of play whose card nobody can see. */
  closeUnseen(requestId: string): Promise<void>;
  /** Who said yes to a request last, or null. */
  lastApprover(requestId: string): Promise<string | null>;
  /** Answers whoever asked, where they asked; undefined once that is too late. */
  voiceOf(requestId: string): Say | undefined;
  sendDirect(userId: string, message: Message, key: string): Promise<void>;
  /** How to invite the bot where that is what an error is about, else null. */
  invitation(error: unknown, channel: string): Promise<Message | null>;
  readonly log: Log;
}

/** Requests whose people were told that their thread lacks something; once is enough. */
const maxTold = 1_000;

/**
 * A message that Slack will not take, because its channel, thread or card is gone: whoever asked is told where they
 * asked, or in a direct message, and how a run ended is told there in full.
 */
export function onDeadParcel(port: DeadLetterPort): (parcel: QueuedParcel, error: unknown) => Promise<void> {
  const told = new LRUCache<string, true>({ max: maxTold });
  return async (parcel, error) => {
    // A card that cannot be changed shows an older state; the thread says how it went on.
    if (parcel.kind === 'update') return;
    if (parcel.kind === 'card') await port.closeUnseen(parcel.conversation);
    if (parcel.kind === 'reply' && told.has(parcel.conversation)) return;
    const request = await port.request(parcel.conversation);
    const receiver = request && (await receiverOf(request, port));
    if (request === null || receiver === null) return;
    told.set(parcel.conversation, true);
    try {
      await tell(request, receiver, parcel, error, port);
    } catch (failed) {
      port.log.error(
        { ...describeError(failed), key: parcel.key },
        'Could not notify anybody of a lost message',
      );
    }
  };
}

/** Whoever asked; where a clock did, whoever said yes. */
async function receiverOf({ id, requester }: StoredRequest, port: DeadLetterPort): Promise<string | null> {
  return /^[UW]/.test(requester) ? requester : port.lastApprover(id);
}

async function tell(
  request: StoredRequest,
  receiver: string,
  parcel: QueuedParcel,
  error: unknown,
  port: DeadLetterPort,
): Promise<void> {
  // How to invite the bot is said of cards alone: whoever lacks a part of a report must not hear that nothing ran.
  const invite = parcel.kind === 'card' ? await port.invitation(error, request.channel) : null;
  const words = invite ?? undeliverable(describeError(error).message);
  const voice = receiver === request.requester ? port.voiceOf(request.id) : undefined;
  const say: Say = voice ?? ((message) => port.sendDirect(receiver, message, `dead:${parcel.key}`));
  const report = parcel.kind === 'final' ? reportIn(parcel) : null;
  await (report === null ? say(words) : sayBoth(say, words, report));
}

function reportIn({ payload }: QueuedParcel): Message | null {
  const parcel = parcelSchema.safeParse(payload);
  return parcel.success ? parcel.data.message : null;
}

/** In one message; as two sentences of plain words when the report itself is what Slack does not take. */
async function sayBoth(say: Say, words: Message, report: Message): Promise<void> {
  try {
    await say({ text: report.text, blocks: [...words.blocks, ...report.blocks] });
  } catch (error) {
    if (error instanceof VendorError && error.mayHaveHappened) throw error;
    await say(undeliverable(report.text));
  }
}
