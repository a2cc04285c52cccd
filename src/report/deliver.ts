import { setImmediate as turn } from 'node:timers/promises';
import { ZodError } from 'zod';
import { BlocksError } from '../blocks/fit.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import * as delivery from '../store/outbox-delivery.ts';
import { type NewMessage, queued } from '../store/outbox-messages.ts';
import type { Db, OutboxRow } from '../store/tables.ts';
import type { RefusedTypes } from './refused-types.ts';
import { type SendDeps, type SlackPort, send } from './send.ts';

export interface DeliveryDeps extends SendDeps {
  readonly teamId: string;
  readonly log: Log;
  readonly refused: RefusedTypes;
  /** Sends events to another system; if given, this delivers them and no messages. */
  readonly feed?: (event: Json) => Promise<void>;
  /** Returns the replacement for a message that will never arrive, so that somebody hears of it another way. */
  readonly onDead: (message: OutboxRow, error: unknown) => Promise<NewMessage | null>;
}

export interface Delivery {
  /** Checks at once: something was queued, or is due now. */
  kick(): void;
  /** Claims what is due on this connection; the next `kick` starts to send it. */
  claim(connection: Db): Promise<void>;
  /** Resolves when the delivery has stopped; unsent messages stay queued. */
  stop(): Promise<void>;
}

const maxConcurrent = 20;
/** Slack may be down for hours; after a day nobody waits for the message any more. */
const giveUpMs = 24 * 60 * 60 * 1000;
const maxPauseMs = 60_000;
/** Milliseconds for which a post that Slack was silent about may still appear; posted again before that, it is there twice. */
const lateMs = 7_000;
/** Milliseconds before another process may send a message this one has claimed: how long a crash delays a thread. */
const leaseMs = 6_000;
const renewMs = 2_000;

/** Drains the outbox: in order within a conversation, conversations in parallel, retrying until everything has arrived. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  let running = true;
  let wake = Promise.withResolvers<void>();
  /** Number of announcements. */
  let news = 0;

  /** Messages being sent. One that hangs in Slack only holds up its own conversation. */
  const underWay = new Map<number, Promise<void>>();
  /** Messages that nobody else sends for the time of their lease. */
  const claimed: OutboxRow[] = [];

  function start(message: OutboxRow): void {
    // Its lease expired, as after a stall, but we are still sending it.
    if (!underWay.has(message.id)) underWay.set(message.id, sendAndGoOn(message));
  }

  /** The next message of its conversation follows directly; another check is only needed for what that may have missed. */
  async function sendAndGoOn(message: OutboxRow): Promise<void> {
    let seen = news;
    const goOn = (): boolean => {
      seen = news;
      return running;
    };
    const wasFull = underWay.size >= maxConcurrent;
    const done = await deliver(deps, message, goOn);
    underWay.delete(message.id);
    if (done.ok && done.next !== null) start(done.next);
    else if (!done.ok || wasFull || news !== seen) wake.resolve();
  }

  async function loop(): Promise<void> {
    while (running) {
      // Renewed before the check, so that an announcement during it is not missed.
      wake = Promise.withResolvers();
      const taken = underWay.size < maxConcurrent ? await take(deps, maxConcurrent - underWay.size) : [];
      for (const message of taken) start(message);
      await wake.promise;
      // Messages announced one after the other are fetched by a single check.
      await turn();
    }
    while (underWay.size > 0) await Promise.all(underWay.values());
  }
  const done = loop();
  return {
    async claim(connection) {
      const free = maxConcurrent - underWay.size - claimed.length;
      if (running && free > 0) claimed.push(...(await take({ ...deps, db: connection }, free)));
    },
    kick() {
      if (running) for (const message of claimed.splice(0)) start(message);
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
async function take(
  { db, teamId, now, log, feed }: DeliveryDeps,
  limit: number,
): Promise<readonly OutboxRow[]> {
  try {
    return await delivery.due(db, { teamId, now: now(), limit, leaseMs, events: feed !== undefined });
  } catch (error) {
    log.warn(describeError(error), 'Could not read the outbox');
    return [];
  }
}

async function deliver(
  deps: DeliveryDeps,
  message: OutboxRow,
  goOn: () => boolean,
): Promise<{ ok: true; next: OutboxRow | null } | { ok: false }> {
  const lease = keepLease(deps, message);
  try {
    const sending =
      deps.feed?.(message.payload).then(() => null) ??
      send({ ...deps, slack: heldBy(lease, deps.slack) }, message, deps.refused);
    const sentTs = await sending.finally(() => lease.end());
    const now = deps.now();
    const until = goOn() ? new Date(now.getTime() + leaseMs) : null;
    return { ok: true, next: await delivery.markSent(deps.db, { ...message, sentTs, now, until }) };
  } catch (error) {
    if (error instanceof LostLease) {
      deps.log.info({ key: message.key }, error.message);
      return { ok: false };
    }
    await putBack(deps, message, error).catch((failed: unknown) => {
      deps.log.warn({ ...describeError(failed), key: message.key }, 'Could not requeue a message');
    });
    return { ok: false };
  }
}

async function putBack(deps: DeliveryDeps, message: OutboxRow, error: unknown): Promise<void> {
  const { db, now, log, onDead } = deps;
  const { id, key, kind, attempts, createdAt } = message;
  const { code, message: why } = describeError(error);
  const old = now().getTime() - createdAt.getTime() > giveUpMs;
  if (isTransient(error) && !old) {
    const asked = error instanceof VendorError ? error.retryAfterMs : undefined;
    const soonestMs = code === 'slack_silent' && kind !== 'update' ? lateMs : 0;
    const waitMs = asked ?? Math.max(soonestMs, Math.min(maxPauseMs, 500 * 2 ** Math.min(attempts, 10)));
    await delivery.markFailed(db, { id, error: code, nextAttemptAt: new Date(now().getTime() + waitMs) });
    log.warn({ code, message: why, key, waitMs }, 'Message delivery postponed');
    return;
  }
  // When Slack rejects our credentials, no replacement can be sent either.
  const nobodyHears = error instanceof VendorError && error.refusesUs;
  const instead = nobodyHears ? null : await onDead(message, error);
  await delivery.giveUp(db, { id, error: code, instead: instead && queued(instead, now()) });
  log.warn({ code, message: why, key }, 'Message dropped');
}

/** A card that exceeds Slack's limits, or a message that Slack rejects, will always fail; messages behind it must not wait. */
function isTransient(error: unknown): boolean {
  if (error instanceof BlocksError || error instanceof ZodError) return false;
  return !(error instanceof VendorError) || error.retryable || error.mayHaveHappened || error.refusesUs;
}

class LostLease extends Error {
  override readonly name = 'LostLease';
  readonly code = 'lost_lease';
}

/** Slack, which hears nothing from a process that may no longer send this message. */
function heldBy({ hold }: Lease, slack: SlackPort): SlackPort {
  return {
    ...slack,
    post: (message) => hold().then(() => slack.post(message)),
    update: (message) => hold().then(() => slack.update(message)),
  };
}

interface Lease {
  /** Throws a LostLease when another process may be sending the message by now, as after a stall. */
  hold(): Promise<void>;
  /** Resolves when nothing more is written about it. */
  end(): Promise<void>;
}

/** Renews the lease of a message while Slack is slow. */
function keepLease({ db, now, log }: DeliveryDeps, { id, attempts, nextAttemptAt }: OutboxRow): Lease {
  let last: Promise<unknown> = Promise.resolve();
  let heldUntil = nextAttemptAt;
  const renew = async (): Promise<boolean> => {
    const until = new Date(now().getTime() + leaseMs);
    const isOurs = await delivery.renew(db, { id, attempts, until });
    if (isOurs) heldUntil = until;
    return isOurs;
  };
  const timer = setInterval(() => {
    // Without a renewal another process may send it, too; that one searches Slack first.
    last = renew().catch((error: unknown) =>
      log.warn({ ...describeError(error), id }, 'Could not renew the lease of a message'),
    );
  }, renewMs);
  return {
    async hold() {
      const leftMs = heldUntil.getTime() - now().getTime();
      if (leftMs > renewMs || (await renew())) return;
      throw new LostLease('A message is left to the process that took it over');
    },
    async end() {
      clearInterval(timer);
      await last;
    },
  };
}
