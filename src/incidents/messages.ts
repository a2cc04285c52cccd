import type { Block, Message } from '../blocks/message.ts';
import type { Life, LifeEvent } from '../core/incident-history.ts';
import { type Json, jsonOf } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { eventMessage } from '../report/incident-words.ts';
import { progressCard, type RunProgress } from '../report/progress.ts';
import { nextBlock, nextButtons, nextOf } from '../report/run-buttons.ts';
import {
  cardMessage,
  finalKey,
  type NewMessage,
  type Payload,
  payloadSchema,
  stepKey,
  threadMessage,
} from '../store/outbox-messages.ts';

/** An incident's new state with its messages, stored atomically. */
export interface FollowStep {
  readonly life: Life | null;
  /** Events that are new. */
  readonly fresh: readonly LifeEvent[];
  /** Sent to every thread in addition to the events; null for nothing. */
  readonly notice: { readonly key: string; readonly message: Message } | null;
  /** Time of the next read; null for never. */
  readonly lookAt: Date | null;
  readonly failures: number;
}

/** A card whose run opened the incident or was added to it. */
export interface PagedCard {
  readonly runId: string;
  /** It was added as a note to an incident that was already open. */
  readonly joined: boolean;
  /** Time of its page. */
  readonly at: Date;
  /** Channel and first message of its thread. */
  readonly thread: string;
  readonly progress: Omit<RunProgress, 'life' | 'next'>;
}

/** Messages for cards and threads when an incident has changed. Each thread gets an event once. */
export function lifeMessages(
  cards: readonly PagedCard[],
  incident: string,
  { life, fresh, notice }: Pick<FollowStep, 'life' | 'fresh' | 'notice'>,
  manifests: ReadonlyMap<string, Manifest>,
): NewMessage[] {
  const news = headsOf(cards).flatMap((card) => {
    const said =
      life === null ? [] : newsFor(card, fresh).flatMap((event) => newsMessage(card, event, life, manifests));
    return notice === null ? said : [...said, reply(card, `life:${incident}:${notice.key}`, notice.message)];
  });
  const shown =
    life === null || fresh.length === 0 ? [] : cards.filter(({ progress }) => progress.outcome !== null);
  return [...news, ...(life === null ? [] : shown.map((card) => shownCard(card, life, manifests)))];
}

/** The first card of each thread. */
export function headsOf(cards: readonly PagedCard[]): PagedCard[] {
  return cards.filter(({ thread }, index) => cards.findIndex((one) => one.thread === thread) === index);
}

/** Earlier messages about an incident in a thread: their keys, newest first, and the new buttons for the newest one. */
export interface EarlierMessages {
  readonly keys: readonly string[];
  readonly next: Block | null;
}

/**
 * Messages with outdated buttons. New events carry the current ones; a thread informed by the run itself gets them
 * where its last buttons were.
 */
export function earlierMessages(
  cards: readonly PagedCard[],
  { life, fresh }: Pick<FollowStep, 'life' | 'fresh'>,
  manifests: ReadonlyMap<string, Manifest>,
): EarlierMessages[] {
  const last = life?.events.at(-1);
  if (life === null || last === undefined || fresh.length === 0) return [];
  const older = life.events.filter((event) => event !== last).toReversed();
  return cards.map((card) => {
    const { revision, steps } = card.progress;
    const pages = steps.flatMap(({ stepId, result }) =>
      own(result?.result ?? {}, 'incident') === life.id
        ? [finalKey(card.runId), stepKey(card.runId, stepId)]
        : [],
    );
    const news = older.map(({ key }) => inThread(card, eventKey(life, key)));
    const next = last.thread === card.thread ? nextFor(card, life, manifests) : [];
    return { keys: [...news, ...pages], next: next.length === 0 ? null : nextButtons(revision, next) };
  });
}

/** Redraws messages one after the other: the first with buttons gets the current ones, the others none. */
export function redrawnWith(next: Block | null): (payload: Json) => Json | null {
  let left = next;
  return (payload) => {
    const { data } = payloadSchema.safeParse(payload);
    const redrawn = data === undefined ? null : withNext(data, left);
    if (redrawn === null) return null;
    left = null;
    return jsonOf(redrawn);
  };
}

/** The same message with other next-step buttons; null if it has none. */
function withNext(payload: Payload, next: Block | null): Payload | null {
  const redrawn = ({ text, blocks }: Message): Message => ({
    text,
    blocks: blocks.flatMap((block) => (block.block_id === nextBlock ? (next ?? []) : block)),
  });
  if (!payload.message.blocks.some((block) => block.block_id === nextBlock)) return null;
  return {
    ...payload,
    message: redrawn(payload.message),
    fallback: payload.fallback && redrawn(payload.fallback),
  };
}

/** Leaves out events from before it was joined. */
function newsFor({ joined, at }: PagedCard, fresh: readonly LifeEvent[]): LifeEvent[] {
  const since = Math.floor(at.getTime() / 1_000) * 1_000;
  return fresh.filter((event) => !joined || Date.parse(event.at) >= since);
}

/** One event. The newest carries the buttons. */
function newsMessage(
  card: PagedCard,
  event: LifeEvent,
  life: Life,
  manifests: ReadonlyMap<string, Manifest>,
): NewMessage[] {
  const key = eventKey(life, event.key);
  // The run itself reported this event in its own thread.
  if (event.thread === card.thread) return [];
  const said = eventMessage(event, life);
  const next = event === life.events.at(-1) ? nextFor(card, life, manifests) : [];
  const buttons = next.length === 0 ? [] : [nextButtons(card.progress.revision, next)];
  return [reply(card, key, { ...said, blocks: [...said.blocks, ...buttons] })];
}

function eventKey({ id }: Life, event: string): string {
  return `life:${id}:${event}`;
}

function inThread({ progress: { revision } }: PagedCard, key: string): string {
  return `${key}:${revision.sealed.requestId}`;
}

function nextFor({ progress: { steps } }: PagedCard, life: Life, manifests: ReadonlyMap<string, Manifest>) {
  return nextOf(
    steps.flatMap(({ result }) => result ?? []),
    life,
    manifests,
  );
}

function shownCard(card: PagedCard, life: Life, manifests: ReadonlyMap<string, Manifest>): NewMessage {
  const next = nextFor(card, life, manifests);
  return cardMessage(card.progress.revision, 'update', progressCard({ ...card.progress, life, next }));
}

export function reply(card: PagedCard, key: string, message: Message): NewMessage {
  return threadMessage(card.progress.revision.sealed, inThread(card, key), message);
}
