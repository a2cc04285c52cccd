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
  /** Returns the replacement for a message that will never arrive, so that somebody hears of it another way. */
  readonly onDead: (parcel: QueuedParcel, error: unknown) => Promise<NewParcel | null>;
}

export interface Delivery {
  /** Checks at once: something was queued, or is due now. */
  kick(): void;
  /** Resolves when the delivery has stopped; unsent messages stay queued. */
  stop(): Promise<void>;
}

const maxConcurrent = 20;
/** Slack may be down for hours; after a day nobody waits for the message any more. */
const giveUpMs = 24 * 60 * 60 * 1000;
const maxPauseMs = 60_000;

/** Drains the outbox: in order within a conversation, conversations in parallel, retrying until everything has arrived. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  let running = true;
  let wake = Promise.withResolvers<void>();
  const refused = refusedTypes();
  /** Number of announcements. */
  let news = 0;

  /** Messages being sent. One that hangs in Slack only holds up its own conversation. */
  const underWay = new Map<number, Promise<void>>();

  function start(parcel: QueuedParcel): void {
    // Its lease expired, as after a stall, but we are still sending it.
    if (!underWay.has(parcel.id)) underWay.set(parcel.id, sendAndGoOn(parcel));
  }

  /** The next message of its conversation follows directly; another check is only needed for what that may have missed. */
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
      // Renewed before the check, so that an announcement during it is not missed.
      wake = Promise.withResolvers();
      const taken = underWay.size < maxConcurrent ? await take(deps, maxConcurrent - underWay.size) : [];
      for (const parcel of taken) start(parcel);
      await wake.promise;
      // Messages announced one after the other are fetched by a single check.
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

/** A database outage must not end the delivery; the next check tries again. */
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
  // When Slack rejects our credentials, no replacement can be sent either.
  const nobodyHears = error instanceof VendorError && error.refusesUs;
  const instead = nobodyHears ? null : await deps.onDead(queued, error);
  await deps.outbox.giveUp({ id: queued.id, error: code, instead });
  deps.log.warn({ code, message, key: queued.key }, 'Message dropped');
}

/** A card that exceeds Slack's limits, or a message that Slack rejects, will always fail; messages behind it must not wait. */
function isTransient(error: unknown): boolean {
  if (error instanceof BlocksError || error instanceof ZodError) return false;
  return !(error instanceof VendorError) || error.retryable || error.mayHaveHappened || error.refusesUs;
}
