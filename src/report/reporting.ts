import { LRUCache } from 'lru-cache';
import { ZodError } from 'zod';
import { namesCards } from '../blocks/card-address.ts';
import type { LinkHosts } from '../core/address.ts';
import type { ServiceEntry } from '../core/catalogue.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import { type Json, jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import { type Request, showsDoing } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import { cached } from '../process/cache.ts';
import { StoreError } from '../store/errors.ts';
import * as outbox from '../store/outbox.ts';
import {
  cardMessage,
  type Drawn,
  messageTo,
  type NewMessage,
  payloadSchema,
  queued,
  threadMessage,
} from '../store/outbox-messages.ts';
import { isRunning } from '../store/runs.ts';
import { shownKey } from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { Db, TolerantDb } from '../store/tables.ts';
import { closeUnseen, type DeadLetterDeps, eventDropped, onDeadMessage } from './dead-letters.ts';
import { startDelivery } from './deliver.ts';
import { type DoingAt, doingKey, doingMessage } from './doing.ts';
import { type KnownRows, knownRows } from './known-rows.ts';
import { type RefusedTypes, refusedTypes, typesBeyond } from './refused-types.ts';
import { createReporter } from './reporter.ts';
import { isOpenCard, type SlackPort } from './send.ts';
import { type CardPort, type Reads, type ShowDeps, shownAfter, shownMessages } from './show-revision.ts';
import { expiredReply } from './thread.ts';
import { notShown } from './undeliverable.ts';

export interface ReportDeps
  extends TolerantDb,
    Pick<DeadLetterDeps, 'operators' | 'replyTo' | 'botUserId'>,
    Pick<ShowDeps, 'causes' | 'around'> {
  readonly slack: SlackPort;
  /** Sends events of plans and runs to another system, where there is one. */
  readonly feed?: ((event: Json) => Promise<void>) | undefined;
  readonly cards: CardPort;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly services: readonly ServiceEntry[];
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly now: () => Date;
  readonly log: Log;
  /** Called with the seconds from a request to its card or answer. */
  readonly shown: (seconds: number) => void;
}

/** All messages to Slack go through here, and wait in the outbox until Slack has them. */
export interface Reporting {
  /** Call after storing something to send. */
  kick(): void;
  /** Takes what is to be sent, behind the commit that stores it and on its connection; `kick` sends it. */
  claim(connection: Db): Promise<void>;
  /** A message to a channel or person, once per key. */
  send(...of: Parameters<typeof messageTo>): Promise<void>;
  /** Updates a card. */
  changeCard(revision: Revision, drawn: Drawn): Promise<void>;
  /** Tells the requester of an expired card, so that nobody waits for it. */
  expired(revision: Revision): Promise<void>;
  /** Shows a new card; the one it replaces links to it, and so does its thread after a change in words. */
  propose(revision: Revision): Promise<void>;
  /** A run's messages for an event, to be stored with it. */
  messagesFor(event: RunEvent, revision: Revision | null): Promise<readonly outbox.OutboxMessage[]>;
  /** Says in a thread what the bot is doing there; empty words end that. */
  doing(at: DoingAt, words: string): Promise<void>;
  /** Ends that once a request is handled, also when a dead process said it; a run under way goes on saying it. */
  handled(request: Request): Promise<void>;
  /** Call after the event is stored. */
  stored(event: RunEvent): Promise<void>;
  stop(): Promise<void>;
}

export function startReporting(deps: ReportDeps): Reporting {
  const { db, slack, now, log } = deps;
  const rows = knownRows(deps);
  const refused = refusedTypes();
  const { feed, ...own } = { ...deps, refused };
  const delivery = startDelivery({
    ...{ ...own, rows, onDead: onDeadMessage(deps) },
    slack: { ...slack, linkTo: cached(slack.linkTo) },
  });
  const events = feed && startDelivery({ ...own, rows, feed, onDead: () => eventDropped(deps) });
  const enqueue = async (message: NewMessage) => {
    await outbox.enqueue(db, queued(message, now()));
    delivery.kick();
  };
  const doing = (at: DoingAt, words: string) => enqueue(doingMessage(at, words));
  const reporter = createReporter({ ...deps, rows, enqueue });
  const showing: ShowDeps = { ...deps, rows };
  const telling = { rows, shown: deps.shown, now, log };
  /** Runs whose end could not be shown. */
  const unshown = new Set<string>();
  /** Cards recorded with the end of a run, until that is stored. */
  const recorded = new LRUCache<string, readonly string[]>({ max: 200 });

  return {
    kick() {
      delivery.kick();
      events?.kick();
    },
    claim: delivery.claim,
    send: (...of) => enqueue(messageTo(...of)),
    doing,
    async handled(request) {
      if (!showsDoing(request)) return;
      const last = await outbox.byKey(db, request.teamId, doingKey(request));
      const isSaid = last !== null && payloadSchema.parse(last.payload).message.text !== '';
      if (isSaid && !(await isRunning(db, request))) await doing(request, '');
    },
    changeCard: (revision, drawn) => enqueue(cardMessage(revision, 'update', drawn)),
    expired: ({ sealed }) =>
      enqueue(threadMessage(sealed, `expired:${sealed.requestId}:${sealed.number}`, expiredReply(sealed))),
    async propose(revision) {
      const messages = await shownMessages(revision, await readsOf(revision, deps), showing);
      // Atomic: recovery after a crash only checks whether the card was posted.
      await db.transaction().execute((trx) =>
        outbox.enqueueAll(
          trx,
          messages.map((message) => queued(message, now())),
        ),
      );
      delivery.kick();
      tellShown(revision.sealed, telling);
    },
    async messagesFor(event, known) {
      const { teamId, requestId, number } = event;
      // Read beside what the card shows.
      const asked = rows.request(teamId, requestId);
      const isOver = event.type === 'finished' && event.mode !== 'dry_run';
      // No older state may follow the final one.
      if (event.type === 'finished') await reporter.end(event.runId);
      const draw = async (): Promise<readonly NewMessage[]> => {
        const revision = known ?? (await rows.revision(teamId, requestId, number));
        if (revision === null) return [];
        return event.mode === 'read'
          ? shownAfter(event, revision, showing)
          : reporter.messagesFor(event, revision);
      };
      const messages = await drawn(event, draw, { rows, log });
      if (messages === null && event.mode === 'read') unshown.add(event.runId);
      const request = isOver ? await asked : null;
      const ended = request !== null && showsDoing(request) ? [doingMessage(request, '')] : [];
      const all = await Promise.all(
        [...(messages ?? [lostEnd(event)]), ...ended].map((message) =>
          withRecord(message, event, { rows, refused, now }),
        ),
      );
      const keys = all.flatMap(({ shown }) => (shown === undefined ? [] : shownKey(shown)));
      if (keys.length > 0) recorded.set(event.runId, keys);
      return all;
    },
    async stored(event) {
      for (const key of recorded.get(event.runId) ?? []) rows.shown.set(key, true);
      recorded.delete(event.runId);
      delivery.kick();
      if (event.type === 'finished' && event.mode === 'read') tellShown(event, telling);
      reporter.follow(event);
      if (unshown.delete(event.runId)) await closeUnseen(deps, event.requestId, now());
    },
    async stop() {
      await reporter.idle();
      await Promise.all([delivery.stop(), events?.stop()]);
    },
  };
}

/** Queues a card with its record, unless how it will be seen depends on what only its sender finds out. */
async function withRecord(
  message: NewMessage,
  event: RunEvent,
  { rows, refused, now }: { rows: KnownRows; refused: RefusedTypes; now: () => Date },
): Promise<outbox.OutboxMessage> {
  const to = queued(message, now());
  const { place, message: card, fallback } = message.payload;
  const isWhole = fallback === null || !refused.has(event.teamId, typesBeyond(card, fallback));
  const isOwn = place.kind === 'card' && place.below === undefined;
  const isKnown = isOwn && isWhole && isOpenCard(card) && !namesCards(card);
  const request = isKnown ? await rows.request(event.teamId, event.requestId) : null;
  if (!isKnown || request === null) return to;
  const { teamId, requestId, number } = event;
  const about = { teamId, requestId, number, channel: request.channel };
  return { ...to, shown: { ...about, message: jsonOf(card), at: to.now } };
}

/** Reports the time from a request to its first card; later revisions are changes, which people took their time for. */
function tellShown(
  { teamId, requestId, number }: Pick<RunEvent, 'teamId' | 'requestId' | 'number'>,
  { rows, shown, now, log }: Pick<ReportDeps, 'shown' | 'now' | 'log'> & { rows: KnownRows },
): void {
  if (number > 1) return;
  const at = now().getTime();
  rows.request(teamId, requestId).then(
    (request) => request && shown((at - request.createdAt.getTime()) / 1_000),
    (error: unknown) => log.warn({ requestId, ...describeError(error) }, 'A card could not be counted'),
  );
}

/** The messages for an event; null for the end of a run that cannot be shown. */
async function drawn(
  event: RunEvent,
  draw: () => Promise<readonly NewMessage[]>,
  { rows, log }: { rows: KnownRows; log: Log },
): Promise<readonly NewMessage[] | null> {
  const { teamId, requestId, number } = event;
  try {
    const messages = await draw();
    const isLost =
      event.type === 'finished' &&
      messages.length === 0 &&
      (await rows.revision(teamId, requestId, number)) === null;
    return isLost ? null : messages;
  } catch (error) {
    // Without the database nothing is stored either, and it is retried.
    if (event.type !== 'finished' || !isOurs(error)) throw error;
    log.error({ requestId, number, ...describeError(error) }, 'The end of a run could not be drawn');
    return null;
  }
}

/** Tells the requester the end of a run that cannot be shown. */
function lostEnd(event: RunEvent): NewMessage {
  return threadMessage(event, `unshown:${event.runId}`, notShown(event.mode));
}

/** False for errors of the database or its connection. */
function isOurs(error: unknown): boolean {
  if (error instanceof CountersignError) return !(error instanceof StoreError);
  return error instanceof ZodError || error instanceof TypeError || error instanceof RangeError;
}

/** Results of a revision's reads, if they have ended. */
async function readsOf({ sealed }: Revision, { db, now }: ReportDeps): Promise<Reads | null> {
  const results = await steps.factsOf(db, sealed);
  return results && { results, at: now().toISOString() };
}
