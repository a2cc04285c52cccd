import { fitBlocks } from '../blocks/fit.ts';
import type { Message, Say } from '../blocks/message.ts';
import { note, noticeBlock } from '../blocks/note.ts';
import { bold } from '../blocks/rich.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { StoredRequest } from '../core/request.ts';
import { cancel } from '../store/cancel.ts';
import {
  messageTo,
  type NewMessage,
  type Payload,
  type Place,
  payloadSchema,
  type Receiver,
} from '../store/outbox-messages.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { OutboxRow, TeamDb, WatchRow } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import { invitation, type LostAt, lostElsewhere, undeliverable } from './undeliverable.ts';

export interface DeadLetterDeps extends TeamDb {
  /** The operators' places: people, then a channel. */
  operators(): Promise<readonly Receiver[]>;
  /** A way to reply to the requester in place; undefined once it is too late. */
  replyTo(requestId: string): Say | undefined;
  botUserId(): Promise<string>;
  readonly now: () => Date;
  readonly log: Log;
}

/** Somebody to tell instead. */
interface Reader {
  readonly place: Receiver;
  /** May read the content of the lost message. */
  readonly isParty: boolean;
}

/** The request or watch a lost message belongs to. */
interface About {
  readonly request: StoredRequest | null;
  readonly watch: Pick<WatchRow, 'owner' | 'channel'> | null;
  readonly error: unknown;
}

/**
 * Decides on a replacement for a message that Slack rejects because its channel, thread or card is gone, and on its
 * receiver. It waits in the outbox like any other message, so that it survives this process, and goes to the next
 * person if the first is unreachable, too. Null when nobody needs to be told, or was told already.
 */
export function onDeadMessage(
  deps: DeadLetterDeps,
): (lost: OutboxRow, error: unknown) => Promise<NewMessage | null> {
  const { db, teamId, now, log } = deps;
  return async (lost, error) => {
    // A card that cannot be updated shows an older state; the thread has the rest.
    if (lost.kind === 'update') return null;
    const [, watchId] = /^watch:(.+)$/.exec(lost.conversation) ?? [];
    const request = await requests.get(db, teamId, lost.conversation);
    const watch = watchId === undefined ? null : await watches.get(db, { teamId, id: watchId });
    const about = { request, watch, error };
    if (lost.kind === 'card') await closeUnseen(deps, lost.conversation, now());
    const asked = { teamId, id: lost.conversation, key: lost.key };
    if (isQuestion(lost) && !(await requests.closeUnasked(db, asked))) return null;
    const isAwaited = lost.kind === 'card' || isQuestion(lost);
    if (isAwaited && request !== null && (await answeredThere(request, error, deps))) return null;
    const reader = nextReader(lost, await readersOf(about, deps));
    if (reader !== undefined) return noteTo(reader, lost, await wordsFor(reader, lost, about, deps));
    log.error({ key: lost.key }, 'Could not notify anybody of a lost message');
    return null;
  };
}

/** Cancels a plan whose card nobody can see. */
export async function closeUnseen({ db, teamId }: TeamDb, requestId: string, now: Date): Promise<void> {
  const row = await revisions.latest(db, teamId, requestId);
  if (row === null || row.state !== 'proposed' || row.cardTs !== null) return;
  const { number, digest } = row;
  await cancel(db, { teamId, requestId, number, digest, reason: 'its card could not be posted', now });
}

async function answeredThere(request: StoredRequest, error: unknown, deps: DeadLetterDeps): Promise<boolean> {
  const say = deps.replyTo(request.id);
  if (say === undefined) return false;
  try {
    await say(await closedWords(request, error, deps));
    return true;
  } catch (failed) {
    deps.log.warn(describeError(failed), 'The person who asked could not be answered there');
    return false;
  }
}

/**
 * Only cards and questions get the advice on inviting the bot: someone who misses part of a report must not read that
 * nothing ran.
 */
async function closedWords(request: StoredRequest, error: unknown, deps: DeadLetterDeps): Promise<Message> {
  return (
    (await invitation(error, request.channel, deps.botUserId)) ??
    undeliverable(describeError(error).message, lostAt(request), 'The request is closed. Ask again.')
  );
}

/** The requester, the last approver or the watch's owner; then the operators. */
async function readersOf({ request, watch }: About, deps: DeadLetterDeps): Promise<Reader[]> {
  const approver = request && (await lastApprover(deps, request.id));
  const parties = [request?.requester, approver, watch?.owner].filter((id) => /^[UW]/.test(id ?? ''));
  // A message about no request or watch is about the bot itself.
  const isOurs = request === null && watch === null;
  const operators = await deps.operators();
  return [
    ...[...new Set(parties)].map(
      (id): Reader => ({ place: { kind: 'person', userId: id ?? '' }, isParty: true }),
    ),
    ...operators.map((place): Reader => ({ place, isParty: isOurs })),
  ];
}

async function lastApprover({ db, teamId }: TeamDb, requestId: string): Promise<string | null> {
  return (await revisions.approvalsOf(db, teamId, requestId)).at(-1)?.approver ?? null;
}

/** The first reader other than the unreachable one; for a note, the next one in line. */
function nextReader(lost: OutboxRow, readers: readonly Reader[]): Reader | undefined {
  const failed = nameOf(placeOf(lost));
  const tried = noteKey.test(lost.key) ? readers.findIndex(({ place }) => nameOf(place) === failed) : -1;
  return readers.slice(tried + 1).find(({ place }) => nameOf(place) !== failed);
}

async function wordsFor(
  { isParty }: Reader,
  lost: OutboxRow,
  about: About,
  deps: DeadLetterDeps,
): Promise<Message> {
  const { request, watch, error } = about;
  const { message: why } = describeError(error);
  if (!isParty) {
    const where = nameOf(placeOf(lost)) || (request?.channel ?? watch?.channel ?? '');
    return lostElsewhere(where, why, lost.key);
  }
  if ((lost.kind === 'card' || isQuestion(lost)) && request !== null)
    return closedWords(request, error, deps);
  const said = lost.kind === 'reply' ? null : read(lost)?.message;
  // A note that its first receiver did not get already says everything.
  if (said && noteKey.test(lost.key)) return said;
  const words = (text: string) => undeliverable(text, lostAt(request, watch));
  return said ? both(words(why), said, error) : words(why);
}

function lostAt(request: StoredRequest | null, watch: About['watch'] = null): LostAt {
  return { channel: request?.channel ?? watch?.channel ?? '', goal: request?.goal ?? '' };
}

/** In one message; the lost text in plain words when Slack rejects the blocks themselves. */
function both(note: Message, said: Message, error: unknown): Message {
  const all = [...note.blocks, ...said.blocks];
  const isRefused = describeError(error).code === 'slack_invalid_blocks';
  const isPlain = isRefused || fitBlocks(all, 'message').length > 0;
  return { text: said.text, blocks: isPlain ? [...note.blocks, noticeBlock(said)] : all };
}

/** `lost:<receiver>:<lost message>`. */
const noteKey = /^lost:[^:]+:(.+)$/s;

/** One note for everything missing in a thread, and one for each outcome. */
function noteTo(
  { place }: Reader,
  { teamId, conversation, kind, key }: OutboxRow,
  message: Message,
): NewMessage {
  const lost = kind === 'card' || kind === 'reply' ? conversation : key;
  const [, first = lost] = noteKey.exec(key) ?? [];
  const payload = { place, message, fallback: null };
  return { teamId, conversation, key: `lost:${nameOf(place)}:${first}`, kind: 'private', payload };
}

function read({ payload }: OutboxRow): Payload | null {
  return payloadSchema.safeParse(payload).data ?? null;
}

const placeOf = (lost: OutboxRow): Place | null => read(lost)?.place ?? null;
const isQuestion = (lost: OutboxRow): boolean => placeOf(lost)?.kind === 'question';

function nameOf(place: Place | null): string {
  if (place?.kind === 'person') return place.userId;
  return place?.kind === 'channel' ? place.channel : '';
}

/** Tells the first operator, once an hour, that events were dropped; the log has each. */
export async function eventDropped({
  teamId,
  operators,
  now,
}: Pick<DeadLetterDeps, 'teamId' | 'operators' | 'now'>): Promise<NewMessage | null> {
  const [place] = await operators();
  return place === undefined
    ? null
    : messageTo(teamId, place, `events-dropped:${now().toISOString().slice(0, 13)}`, eventsDropped);
}

const eventsDropped = note(
  [
    bold('Events were dropped. '),
    'The system at COUNTERSIGN_EVENTS_URL refused them, or was away for a day.',
  ],
  ['Plans and runs go on, and the audit log has everything; the log of this bot names each dropped event.'],
);
