import { withCardAddresses } from '../blocks/card-address.ts';
import { shortened } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import type { Message } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import { cardKey } from '../store/outbox.ts';
import { type CardBook, type Parcel, type PostOffice, parcelSchema, type QueuedParcel } from './ports.ts';
import { type RefusedTypes, typesBeyond } from './refused-types.ts';

export interface SendDeps {
  readonly slack: PostOffice;
  readonly cards: CardBook;
}

/** Sends one message to its place and returns its timestamp in Slack. If its blocks are rejected, sends its fallback. */
export async function send(
  deps: SendDeps,
  queued: QueuedParcel,
  refused: RefusedTypes,
): Promise<string | null> {
  const parcel = parcelSchema.parse(queued.payload);
  const { message, fallback } = parcel;
  if (fallback === null) return sendMessage(deps, queued, parcel, message);
  const types = typesBeyond(message, fallback);
  if (refused.has(queued.teamId, types)) return sendMessage(deps, queued, parcel, fallback);
  try {
    return await sendMessage(deps, queued, parcel, message);
  } catch (error) {
    if (!(error instanceof VendorError && error.code === 'slack_invalid_blocks')) throw error;
    const sentTs = await sendMessage(deps, queued, parcel, fallback);
    refused.add(queued.teamId, types);
    return sentTs;
  }
}

async function sendMessage(
  deps: SendDeps,
  queued: QueuedParcel,
  { place }: Parcel,
  written: Message,
): Promise<string | null> {
  const { teamId, key } = queued;
  const addressed = await withCardAddresses(written, async ({ requestId, number }) => {
    const card = await deps.cards.cardOf(teamId, requestId, number);
    return card && deps.slack.linkTo(card.channel, card.ts);
  });
  // A plan must not be approved from a shortened card.
  const message = isOpenCard(addressed) ? addressed : shortened(addressed);
  if (queued.kind === 'update' && place.kind === 'card') {
    const card = await deps.cards.cardOf(teamId, place.requestId, place.number);
    if (card === null) return null;
    return changeCard(deps, queued, { place, card, message });
  }
  if (queued.kind === 'update' && place.kind === 'watch') {
    const watch = await deps.cards.watchAt(teamId, place.id);
    if (watch === null || watch.ts === null) return null;
    await deps.slack.update({ channel: watch.channel, ts: watch.ts, message, key });
    return watch.ts;
  }
  const to = await addressOf(deps, teamId, place);
  if (place.kind === 'card' && isOpenCard(message)) {
    const { requestId, number } = place;
    await deps.cards.shown({ teamId, requestId, number, channel: to.channel, message });
  }
  const standing = await postedBefore(deps, queued, to);
  // The posted message may have an older payload: only the first version was never replaced.
  if (standing !== null && queued.version > 1) {
    await deps.slack.update({ channel: to.channel, ts: standing, message, key });
  }
  const ts = standing ?? (await deps.slack.post({ ...to, message, key })).ts;
  if (place.kind === 'card') {
    const { requestId, number } = place;
    await deps.cards.remember({ teamId, requestId, number, channel: to.channel, ts });
  }
  if (place.kind === 'watch') await deps.cards.rememberWatch({ teamId, id: place.id, ts });
  return ts;
}

interface CardChange {
  readonly place: CardPlace;
  readonly card: { readonly channel: string; readonly ts: string };
  readonly message: Message;
}

type CardPlace = Extract<Parcel['place'], { kind: 'card' }>;

/** One that was deleted is posted again while it can be decided on: its plan waits, and nobody else can ask for the same. */
async function changeCard(
  deps: SendDeps,
  queued: QueuedParcel,
  { place, card, message }: CardChange,
): Promise<string> {
  const { teamId } = queued;
  const { requestId, number } = place;
  const isOpen = isOpenCard(message);
  try {
    if (isOpen) await deps.cards.shown({ teamId, requestId, number, channel: card.channel, message });
    await deps.slack.update({ ...card, message, key: cardKey(requestId, number) });
    return card.ts;
  } catch (error) {
    const isGone = error instanceof VendorError && error.code === 'slack_message_not_found';
    if (!isOpen || !isGone) throw error;
    const now = await deps.cards.cardNow(teamId, requestId, number);
    if (now !== null && now.ts !== card.ts) return changeCard(deps, queued, { place, card: now, message });
    return postAgain(deps, queued, place, message);
  }
}

/** Its old place is forgotten with the new one. */
async function postAgain(
  deps: SendDeps,
  queued: QueuedParcel,
  place: CardPlace,
  message: Message,
): Promise<string> {
  const { teamId } = queued;
  const { requestId, number } = place;
  const to = await addressOf(deps, teamId, place);
  const key = cardKey(requestId, number);
  const standing = await postedBefore(deps, { ...queued, key, sentTs: null }, to);
  const ts = standing ?? (await deps.slack.post({ ...to, message, key })).ts;
  await deps.cards.remember({ teamId, requestId, number, channel: to.channel, ts });
  return ts;
}

/** True for a card that somebody can still say yes to. */
function isOpenCard({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === 'actions' &&
      block.elements.some(({ action_id: id }) => id === actionIds.approve || id === actionIds.details),
  );
}

/** Timestamp of the message if it is already in Slack: recorded, or posted by an attempt whose response was lost. */
async function postedBefore(
  { slack }: SendDeps,
  { key, sentTs, attempts, createdAt }: QueuedParcel,
  to: { channel: string; threadTs: string | null },
): Promise<string | null> {
  if (sentTs !== null || attempts <= 1) return sentTs;
  return (await slack.findByKey({ ...to, key, since: createdAt }))?.ts ?? null;
}

async function addressOf(
  { cards, slack }: SendDeps,
  teamId: string,
  place: Parcel['place'],
): Promise<{ channel: string; threadTs: string | null }> {
  if (place.kind === 'channel') return { channel: place.channel, threadTs: place.threadTs };
  if (place.kind === 'person') return { channel: await slack.openDirect(place.userId), threadTs: null };
  if ('id' in place) {
    const watch = (await cards.watchAt(teamId, place.id)) ?? gone();
    const { channel, threadTs, ts } = watch;
    return { channel, threadTs: place.kind === 'watch' ? threadTs : (threadTs ?? ts) };
  }
  const home = (await cards.homeOf(teamId, place.requestId)) ?? gone();
  if (place.kind === 'card' || home.threadTs !== null) return home;
  const card = await cards.cardOf(teamId, place.requestId, place.number);
  return { channel: card?.channel ?? home.channel, threadTs: card?.ts ?? null };
}

function gone(): never {
  const final = { retryable: false, mayHaveHappened: false };
  throw new VendorError('no_request', 'The request that this message belongs to is gone.', final);
}
