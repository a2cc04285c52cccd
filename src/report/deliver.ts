import { ZodError } from 'zod';
import { withCardAddresses } from '../blocks/card-address.ts';
import { BlocksError } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import type { Message } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { keepLease, leaseMs } from './lease.ts';
import {
  type CardBook,
  type NewParcel,
  type OutboxPort,
  type Parcel,
  type PostOffice,
  parcelSchema,
  type QueuedParcel,
} from './ports.ts';
import { type RefusedTypes, refusedTypes, typesBeyond } from './refused-types.ts';

export interface DeliveryDeps {
  readonly outbox: OutboxPort;
  readonly slack: PostOffice;
  readonly cards: CardBook;
  readonly now: () => Date;
  readonly log: Log;
  /** What is said instead of a parcel that will never arrive, so that somebody hears of it another way. */
  readonly onDead: (parcel: QueuedParcel, error: unknown) => Promise<NewParcel | null>;
  /** Milliseconds between looks when nothing was announced. */
  readonly pollMs: number;
}

export interface Delivery {
  /** Looks at once: something was queued. */
  kick(): void;
  /** Resolves when the delivery has stopped; what was not sent stays queued. */
  stop(): Promise<void>;
}

const maxConcurrent = 20;
/** Slack may be away for hours; after a day nobody waits for the message any more. */
const giveUpMs = 24 * 60 * 60 * 1000;
const maxPauseMs = 60_000;

/** Drains the outbox: in order within a conversation, conversations side by side, again and again until it arrived. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  let running = true;
  let wake = Promise.withResolvers<void>();
  const refused = refusedTypes();
  /** Counts announcements. */
  let news = 0;

  /** What is on its way. One that Slack leaves hanging holds up its own conversation and no other. */
  const underWay = new Map<number, Promise<void>>();

  function start(parcel: QueuedParcel): void {
    // Its lease ran out under us, as after a stall: we are still at it.
    if (!underWay.has(parcel.id)) underWay.set(parcel.id, sendAndGoOn(parcel));
  }

  /** What waits behind it in its conversation goes next; a look is only needed for what that may have missed. */
  async function sendAndGoOn(parcel: QueuedParcel): Promise<void> {
    let seen = news;
    const goOn = (): boolean => {
      seen = news;
      return running;
    };
    const wasFull = underWay.size >= maxConcurrent;
    const done = await deliver(deps, parcel, { refused, goOn });
    underWay.delete(parcel.id);
    if (done.ok && done.next !== null) start(done.next);
    else if (!done.ok || wasFull || news !== seen) wake.resolve();
  }

  async function loop(): Promise<void> {
    while (running) {
      // Made anew before the look: what is announced during it is not missed.
      wake = Promise.withResolvers();
      const taken = underWay.size < maxConcurrent ? await take(deps, maxConcurrent - underWay.size) : [];
      for (const parcel of taken) start(parcel);
      const timer = setTimeout(() => wake.resolve(), deps.pollMs);
      await wake.promise;
      clearTimeout(timer);
    }
    while (underWay.size > 0) await Promise.all(underWay.values());
  }
  const done = loop();
  return {
    kick() {
      news += 1;
      wake.resolve();
    },
    async stop() {
      running = false;
      wake.resolve();
      await done;
    },
  };
}

/** A database that is away must not end the delivery; it is asked again at the next look. */
async function take(deps: DeliveryDeps, limit: number): Promise<readonly QueuedParcel[]> {
  try {
    return await deps.outbox.due({ now: deps.now(), limit, leaseMs });
  } catch (error) {
    deps.log.warn(describeError(error), 'Could not read the outbox');
    return [];
  }
}

async function deliver(
  deps: DeliveryDeps,
  queued: QueuedParcel,
  { refused, goOn }: { refused: RefusedTypes; goOn: () => boolean },
): Promise<{ ok: true; next: QueuedParcel | null } | { ok: false }> {
  const lease = keepLease(deps, queued.id);
  try {
    const sentTs = await send(deps, queued, refused).finally(() => lease.end());
    const now = deps.now();
    const until = goOn() ? new Date(now.getTime() + leaseMs) : null;
    return { ok: true, next: await deps.outbox.markSent({ ...queued, sentTs, now, until }) };
  } catch (error) {
    await putBack(deps, queued, error).catch((failed: unknown) => {
      deps.log.warn({ ...describeError(failed), key: queued.key }, 'Could not requeue a message');
    });
    return { ok: false };
  }
}

async function putBack(deps: DeliveryDeps, queued: QueuedParcel, error: unknown): Promise<void> {
  const { code, message } = describeError(error);
  const transient = isTransient(error);
  const old = deps.now().getTime() - queued.createdAt.getTime() > giveUpMs;
  if (transient && !old) {
    const asked = error instanceof VendorError ? error.retryAfterMs : undefined;
    const wait = asked ?? Math.min(maxPauseMs, 500 * 2 ** Math.min(queued.attempts, 10));
    await deps.outbox.markFailed({
      id: queued.id,
      error: code,
      nextAttemptAt: new Date(deps.now().getTime() + wait),
    });
    deps.log.warn({ code, message, key: queued.key, waitMs: wait }, 'Message delivery postponed');
    return;
  }
  // Where nothing is taken from us, nothing can be said instead.
  const nobodyHears = error instanceof VendorError && error.refusesUs;
  const instead = nobodyHears ? null : await deps.onDead(queued, error);
  await deps.outbox.giveUp({ id: queued.id, error: code, instead });
  deps.log.warn({ code, message, key: queued.key }, 'Message dropped');
}

/** A message that does not fit Slack, or that Slack refuses, stays so; what waits behind it must not wait with it. */
function isTransient(error: unknown): boolean {
  if (error instanceof BlocksError || error instanceof ZodError) return false;
  return !(error instanceof VendorError) || error.retryable || error.mayHaveHappened || error.refusesUs;
}

/** Sends one parcel and answers its timestamp in Slack. */
async function send(deps: DeliveryDeps, queued: QueuedParcel, refused: RefusedTypes): Promise<string | null> {
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
  deps: DeliveryDeps,
  queued: QueuedParcel,
  { place }: Parcel,
  written: Message,
): Promise<string | null> {
  const { teamId, key } = queued;
  const message = await withCardAddresses(written, async ({ requestId, number }) => {
    const card = await deps.cards.cardOf(teamId, requestId, number);
    return card && deps.slack.linkTo(card.channel, card.ts);
  });
  if (queued.kind === 'update' && place.kind === 'card') {
    const card = await deps.cards.cardOf(teamId, place.requestId, place.number);
    if (card === null) return null;
    const { requestId, number } = place;
    if (isOpenCard(message))
      await deps.cards.shown({ teamId, requestId, number, channel: card.channel, message });
    await deps.slack.update({ ...card, message, key: cardKey(requestId, number) });
    return card.ts;
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
  // What stands there may be an older payload: only the first version was never replaced.
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

/** True for a card that somebody can still say yes to. */
function isOpenCard({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === 'actions' &&
      block.elements.some(({ action_id: id }) => id === actionIds.approve || id === actionIds.details),
  );
}

/** Timestamp of the message when it is in Slack already: noted, or posted by an attempt whose answer was lost. */
async function postedBefore(
  { slack }: DeliveryDeps,
  { key, sentTs, attempts, createdAt }: QueuedParcel,
  to: { channel: string; threadTs: string | null },
): Promise<string | null> {
  if (sentTs !== null || attempts <= 1) return sentTs;
  return (await slack.findByKey({ ...to, key, since: createdAt }))?.ts ?? null;
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

async function addressOf(
  { cards, slack }: DeliveryDeps,
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
