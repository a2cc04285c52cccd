import { setImmediate as turn } from 'node:timers/promises';
import { ZodError } from 'zod';
import { BlocksError } from '../blocks/fit.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { keepLease, leaseMs } from './lease.ts';
import type { NewParcel, OutboxPort, QueuedParcel } from './ports.ts';
import { type RefusedTypes, refusedTypes } from './refused-types.ts';
import { type SendDeps, send } from './send.ts';

export interface DeliveryDeps extends SendDeps {
  readonly outbox: OutboxPort;
  readonly now: () => Date;
  readonly log: Log;
  /** What is said instead of a parcel that will never arrive, so that somebody hears of it another way. */
  readonly onDead: (parcel: QueuedParcel, error: unknown) => Promise<NewParcel | null>;
}

export interface Delivery {
  /** Looks at once: something was queued, or is due by now. */
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
      await wake.promise;
      // What is told one after the other is announced so, and looked for once.
      await turn();
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

/** A card that does not fit Slack, or a message that Slack refuses, stays so; what waits behind it must not wait with it. */
function isTransient(error: unknown): boolean {
  if (error instanceof BlocksError || error instanceof ZodError) return false;
  return !(error instanceof VendorError) || error.retryable || error.mayHaveHappened || error.refusesUs;
}
