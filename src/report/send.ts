import { withCardAddresses } from '../blocks/card-address.ts';
import { shortened } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import type { Message } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import * as alerts from '../store/alerts.ts';
import { cardKey } from '../store/outbox.ts';
import { type Place, payloadSchema } from '../store/outbox-messages.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as shownCards from '../store/shown-cards.ts';
import type { Db, OutboxRow } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import type { KnownRows } from './known-rows.ts';
import { type RefusedTypes, typesBeyond } from './refused-types.ts';

/** The parts of Slack that delivery needs. Methods throw VendorErrors. */
export interface SlackPort {
  post(to: {
    channel: string;
    threadTs: string | null;
    message: Message;
    key: string;
  }): Promise<{ channel: string; ts: string }>;
  update(of: { channel: string; ts: string; message: Message; key: string }): Promise<void>;
  /** Address of an existing message. */
  linkTo(channel: string, ts: string): Promise<string>;
  /** Shows what the bot is doing in a thread; empty words for nothing. */
  showDoing(doing: { channel: string; threadTs: string; words: string; title: string }): Promise<void>;
  /** The direct channel with a person. */
  openDirect(userId: string): Promise<string>;
  findByKey(of: {
    channel: string;
    threadTs: string | null;
    key: string;
    since: Date;
  }): Promise<{ ts: string } | null>;
}

export interface SendDeps {
  readonly db: Db;
  readonly slack: SlackPort;
  readonly rows: KnownRows;
  readonly now: () => Date;
}

/** Sends one message to its place and returns its timestamp in Slack. If its blocks are rejected, sends its fallback. */
export async function send(deps: SendDeps, queued: OutboxRow, refused: RefusedTypes): Promise<string | null> {
  const { place, message, fallback } = payloadSchema.parse(queued.payload);
  if (place.kind === 'doing') return deps.slack.showDoing({ ...place, words: message.text }).then(() => null);
  if (fallback === null) return sendMessage(deps, queued, place, message);
  const types = typesBeyond(message, fallback);
  if (refused.has(queued.teamId, types)) return sendMessage(deps, queued, place, fallback);
  try {
    return await sendMessage(deps, queued, place, message);
  } catch (error) {
    if (!(error instanceof VendorError && error.code === 'slack_invalid_blocks')) throw error;
    const sentTs = await sendMessage(deps, queued, place, fallback);
    refused.add(queued.teamId, types);
    return sentTs;
  }
}

async function sendMessage(
  deps: SendDeps,
  queued: OutboxRow,
  place: ShownPlace,
  written: Message,
): Promise<string | null> {
  const { teamId, key } = queued;
  const addressed = await withCardAddresses(written, async ({ requestId, number }) => {
    const card = await deps.rows.card(teamId, requestId, number);
    return card && deps.slack.linkTo(card.channel, card.ts);
  });
  // A plan must not be approved from a shortened card.
  const message = isOpenCard(addressed) ? addressed : shortened(addressed);
  if (place.kind === 'posted') {
    await deps.slack.update({ channel: place.channel, ts: place.ts, message, key });
    return place.ts;
  }
  if (queued.kind === 'update' && place.kind === 'card') {
    const card = await deps.rows.card(teamId, place.requestId, place.number);
    if (card === null) return null;
    return changeCard(deps, queued, { place, card, message });
  }
  if (queued.kind === 'update' && (place.kind === 'watch' || place.kind === 'alert')) {
    const find = place.kind === 'watch' ? watches.get : alerts.problem;
    const { channel, messageTs: ts } = (await find(deps.db, { teamId, id: place.id })) ?? nowhere;
    if (ts !== null) await deps.slack.update({ channel, ts, message, key });
    return ts;
  }
  const to = await addressOf(deps, teamId, place);
  if (place.kind === 'card' && isOpenCard(message))
    await recordShown(deps, { teamId, ...place, channel: to.channel }, message);
  const posted = await postedBefore(deps, queued, to);
  // The posted message may have an older payload: only the first version was never replaced.
  if (posted !== null && queued.version > 1) {
    await deps.slack.update({ channel: to.channel, ts: posted, message, key });
  }
  const ts = posted ?? (await deps.slack.post({ ...to, message, key })).ts;
  if (place.kind === 'card') await storePlace(deps, { teamId, ...place, channel: to.channel, ts });
  if (place.kind === 'question')
    await requests.setQuestionPlace(deps.db, { teamId, id: place.requestId, key, ts });
  if (place.kind === 'watch') await watches.setMessage(deps.db, { teamId, id: place.id, ts });
  if (place.kind === 'alert') await alerts.setMessage(deps.db, { teamId, id: place.id, ts, at: deps.now() });
  return ts;
}

/** A place of a message. */
type ShownPlace = Exclude<Place, { kind: 'doing' }>;
/** The place of a message to be posted. */
type NewPlace = Exclude<ShownPlace, { kind: 'posted' }>;

const nowhere = { channel: '', messageTs: null };

interface CardChange {
  readonly place: CardPlace;
  readonly card: { readonly channel: string; readonly ts: string };
  readonly message: Message;
}

type CardPlace = Extract<Place, { kind: 'card' }>;

/** Updates a card. One that was deleted is posted again while it is open: its plan waits, and a request for the same joins it. */
async function changeCard(
  deps: SendDeps,
  queued: OutboxRow,
  { place, card, message }: CardChange,
): Promise<string> {
  const { teamId } = queued;
  const { requestId, number } = place;
  const isOpen = isOpenCard(message);
  try {
    if (isOpen) await recordShown(deps, { teamId, ...place, channel: card.channel }, message);
    await deps.slack.update({ ...card, message, key: cardKey(requestId, number) });
    return card.ts;
  } catch (error) {
    const isGone = error instanceof VendorError && error.code === 'slack_message_not_found';
    if (!isOpen || !isGone) throw error;
    // Another process may have posted it again.
    deps.rows.card.forget(teamId, requestId, number);
    const now = await deps.rows.card(teamId, requestId, number);
    if (now !== null && now.ts !== card.ts) return changeCard(deps, queued, { place, card: now, message });
    return postAgain(deps, queued, place, message);
  }
}

/** Its old place is forgotten with the new one. */
async function postAgain(
  deps: SendDeps,
  queued: OutboxRow,
  place: CardPlace,
  message: Message,
): Promise<string> {
  const { teamId } = queued;
  const { requestId, number } = place;
  const to = await addressOf(deps, teamId, place);
  const key = cardKey(requestId, number);
  const posted = await postedBefore(deps, { ...queued, key, sentTs: null }, to);
  const ts = posted ?? (await deps.slack.post({ ...to, message, key })).ts;
  await storePlace(deps, { teamId, ...place, channel: to.channel, ts });
  return ts;
}

interface CardIn extends Omit<CardPlace, 'kind'> {
  readonly teamId: string;
  readonly channel: string;
}

/** Records the card that people are about to see for a revision waiting for a decision, unless that is done. */
async function recordShown(
  { db, rows, now }: SendDeps,
  { teamId, requestId, number, channel }: CardIn,
  message: Message,
): Promise<void> {
  const card = { teamId, requestId, number, channel, message: jsonOf(message), at: now() };
  if (!rows.shown.has(shownCards.shownKey(card))) await shownCards.record(db, card);
}

async function storePlace(
  { db, rows }: SendDeps,
  { teamId, requestId, number, channel, ts }: CardIn & { readonly ts: string },
): Promise<void> {
  await revisions.setCard(db, { teamId, requestId, number, channel, ts });
  rows.card.forget(teamId, requestId, number);
}

/** True for a card that can still be approved. */
export function isOpenCard({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === 'actions' &&
      block.elements.some(({ action_id: id }) => id === actionIds.approve || id === actionIds.details),
  );
}

/** Timestamp of the message if it is already in Slack: recorded, or posted by an attempt whose response was lost. */
async function postedBefore(
  { slack }: SendDeps,
  { key, sentTs, attempts, createdAt }: OutboxRow,
  to: { channel: string; threadTs: string | null },
): Promise<string | null> {
  if (sentTs !== null || attempts <= 1) return sentTs;
  return (await slack.findByKey({ ...to, key, since: createdAt }))?.ts ?? null;
}

async function addressOf(
  { db, rows, slack }: SendDeps,
  teamId: string,
  place: NewPlace,
): Promise<{ channel: string; threadTs: string | null }> {
  if (place.kind === 'channel' || place.kind === 'question')
    return { channel: place.channel, threadTs: place.threadTs };
  if (place.kind === 'person') return { channel: await slack.openDirect(place.userId), threadTs: null };
  if (place.kind === 'alert' || place.kind === 'alert_thread') {
    const { channel, messageTs } = (await alerts.problem(db, { teamId, id: place.id })) ?? gone();
    return { channel, threadTs: place.kind === 'alert' ? null : messageTs };
  }
  if ('id' in place) {
    const { channel, threadTs, messageTs } = (await watches.get(db, { teamId, id: place.id })) ?? gone();
    return { channel, threadTs: place.kind === 'watch' ? threadTs : (threadTs ?? messageTs) };
  }
  const { channel, threadTs } = (await rows.request(teamId, place.requestId)) ?? gone();
  const thread = place.kind === 'card' ? place.below : place.number;
  if (thread === undefined || threadTs !== null) return { channel, threadTs };
  const card = await rows.card(teamId, place.requestId, thread);
  return { channel: card?.channel ?? channel, threadTs: card?.ts ?? null };
}

function gone(): never {
  const final = { retryable: false, mayHaveHappened: false };
  throw new VendorError('no_request', 'The request that this message belongs to is gone.', final);
}
