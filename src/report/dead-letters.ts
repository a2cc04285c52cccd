import { LRUCache } from 'lru-cache';
import type { Message } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Say } from '../pipeline.ts';
import { parcelSchema, type QueuedParcel } from './ports.ts';
import { undeliverable } from './private.ts';
import { decide } from '../store/decide.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RequestRow } from '../store/tables.ts';
import { invitation } from './invitation.ts';
import type { World } from '../app/world.ts';

type Needed = Pick<World, 'db' | 'gateway' | 'teamId' | 'log' | 'now'>;

/** Requests whose people were told that their thread lacks something; once is enough. */
const mostTold = 1_000;

/**
 * A message that Slack will not take, because its channel, thread or card is gone: whoever asked is told where they
 * asked, or in a direct message, and how a run ended is told there in full.
 */
export function onDeadParcel(world: Needed, voiceOf: (requestId: string) => Say | undefined) {
  const { db, gateway, teamId, log } = world;
  const told = new LRUCache<string, true>({ max: mostTold });

  /** How to invite the bot is said of cards alone: whoever lacks a part of a report must not hear that nothing ran. */
  async function wordsFor(request: RequestRow, { kind }: QueuedParcel, error: unknown): Promise<Message> {
    const invite = kind === 'card' ? await invitation(error, request.channel, world) : null;
    return invite ?? undeliverable(describeError(error).message);
  }

  return async (parcel: QueuedParcel, error: unknown): Promise<void> => {
    // A card that cannot be changed shows an older state; the thread says how it went on.
    if (parcel.kind === 'update') return;
    if (parcel.kind === 'card') await closeUnseen(world, parcel.conversation);
    if (parcel.kind === 'reply' && told.has(parcel.conversation)) return;
    const request = await requests.get(db, teamId, parcel.conversation);
    const receiver = request && (await receiverOf(world, request));
    if (request === null || receiver === null) return;
    told.set(parcel.conversation, true);
    const words = await wordsFor(request, parcel, error);
    try {
      const voice = receiver === request.requester ? voiceOf(request.id) : undefined;
      const say: Say = async (message) => {
        if (voice) return voice(message);
        const channel = await gateway.openDirect(receiver);
        await gateway.post({ channel, message, key: `dead:${parcel.key}` });
      };
      const report = parcel.kind === 'final' ? reportIn(parcel) : null;
      await (report === null ? say(words) : sayBoth(say, words, report));
    } catch (failed) {
      log.error({ ...describeError(failed), key: parcel.key }, 'Nobody could be told of a lost message');
    }
  };
}

/** A plan whose card nobody can see waits for no yes. */
async function closeUnseen({ db, teamId, now }: Needed, requestId: string): Promise<void> {
  const row = await revisions.latest(db, teamId, requestId);
  if (row === null || row.state !== 'proposed' || row.cardTs !== null) return;
  const { number, digest } = row;
  const reason = 'its card could not be posted';
  const cancelled = { teamId, requestId, number, digest, to: 'cancelled', by: 'system', reason } as const;
  const decided = await decide(db, { ...cancelled, now: now() });
  if (decided.ok) await requests.setState(db, { teamId, id: requestId, to: 'closed' });
}

/** Whoever asked; where a clock did, whoever said yes. */
async function receiverOf({ db }: Needed, request: RequestRow): Promise<string | null> {
  if (/^[UW]/.test(request.requester)) return request.requester;
  const approvals = await revisions.approvalsOf(db, request.teamId, request.id);
  return approvals.at(-1)?.approver ?? null;
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
