import { z } from 'zod';
import type { Block, Message } from '../blocks/message.ts';
import type { Life } from '../core/incident-history.ts';
import type { Revision } from '../core/revision.ts';
import type { Approval, StepResult } from '../core/run.ts';

export const messageSchema = z.strictObject({ text: z.string(), blocks: z.array(z.custom<Block>()) });
const requestId = z.string();
const number = z.int();

/** The place of a message. Cards and threads are named by revision: their timestamps may not exist yet. */
const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('card'), requestId, number }),
  z.strictObject({ kind: z.literal('thread'), requestId, number }),
  z.strictObject({ kind: z.literal('channel'), channel: z.string(), threadTs: z.string().nullable() }),
  z.strictObject({ kind: z.literal('person'), userId: z.string() }),
  /** The message that represents a watch, and its thread; the channel if it has no message. */
  z.strictObject({ kind: z.enum(['watch', 'watch_thread']), id: z.string() }),
]);

/** The content of a queued message. `fallback` is sent where a workspace rejects the blocks of `message`. */
export const parcelSchema = z.strictObject({
  place: placeSchema,
  message: messageSchema,
  fallback: messageSchema.nullable(),
});
export type Parcel = z.infer<typeof parcelSchema>;
export type Place = Parcel['place'];

/** `card` posts a revision's card, `update` changes it, `reply` and `final` go to its thread, `private` to a person. */
export type ParcelKind = 'card' | 'update' | 'reply' | 'final' | 'private';

export interface QueuedParcel {
  readonly id: number;
  readonly teamId: string;
  /** Messages of one conversation are sent in order; ours are request ids. */
  readonly conversation: string;
  readonly key: string;
  readonly kind: ParcelKind;
  /** A Parcel as JSON. */
  readonly payload: unknown;
  readonly version: number;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly sentTs: string | null;
  readonly createdAt: Date;
}

export interface OutboxPort {
  due(take: { now: Date; limit: number; leaseMs: number }): Promise<readonly QueuedParcel[]>;
  /** Extends the lease of claimed messages. */
  renew(lease: { id: number; until: Date }): Promise<void>;
  /** With `until`, claims the next message of the conversation, or its own newer payload; null if there is none. */
  markSent(
    sent: Pick<QueuedParcel, 'id' | 'teamId' | 'conversation' | 'version' | 'sentTs'> & {
      now: Date;
      until: Date | null;
    },
  ): Promise<QueuedParcel | null>;
  /** Postpones a message until the next attempt. */
  markFailed(failed: { id: number; error: string; nextAttemptAt: Date }): Promise<void>;
  /** Gives up on a message; its replacement is queued in the same transaction. */
  giveUp(of: { id: number; error: string; instead: NewParcel | null }): Promise<void>;
}

/** The parts of Slack that delivery needs. Methods throw VendorErrors. */
export interface PostOffice {
  post(to: {
    channel: string;
    threadTs: string | null;
    message: Message;
    key: string;
  }): Promise<{ channel: string; ts: string }>;
  update(of: { channel: string; ts: string; message: Message; key: string }): Promise<void>;
  /** Address of an existing message. */
  linkTo(channel: string, ts: string): Promise<string>;
  /** The direct channel with a person. */
  openDirect(userId: string): Promise<string>;
  findByKey(of: {
    channel: string;
    threadTs: string | null;
    key: string;
    since: Date;
  }): Promise<{ ts: string } | null>;
}

/** Locations of cards. */
export interface CardBook {
  /** Records the card that people are about to see for a revision waiting for a decision. */
  shown(card: {
    teamId: string;
    requestId: string;
    number: number;
    channel: string;
    message: Message;
  }): Promise<void>;
  /** Channel and thread for the card of a request. */
  homeOf(teamId: string, requestId: string): Promise<{ channel: string; threadTs: string | null } | null>;
  cardOf(teamId: string, requestId: string, number: number): Promise<{ channel: string; ts: string } | null>;
  /** The same, asked anew: a card that was deleted may have been posted again by another process. */
  cardNow: CardBook['cardOf'];
  remember(card: {
    teamId: string;
    requestId: string;
    number: number;
    channel: string;
    ts: string;
  }): Promise<void>;
  /** Location of a watch's request and of its message; null if there is no such watch. */
  watchAt(
    teamId: string,
    id: string,
  ): Promise<{ channel: string; threadTs: string | null; ts: string | null } | null>;
  rememberWatch(watch: { teamId: string; id: string; ts: string }): Promise<void>;
}

/** Current state of a step of a run. */
export interface StepNow {
  readonly stepId: string;
  readonly running: boolean;
  readonly result: StepResult | null;
}

/** A message before it is in the outbox. */
export interface NewParcel {
  readonly teamId: string;
  readonly conversation: string;
  readonly key: string;
  readonly kind: ParcelKind;
  readonly parcel: { readonly place: Place; readonly message: Message; readonly fallback: Message | null };
}

/** Reads of the reporter, and its outbox. */
export interface ReportPorts {
  revision(teamId: string, requestId: string, number: number): Promise<Revision | null>;
  steps(teamId: string, runId: string): Promise<readonly StepNow[]>;
  /** Who approved, and when; null for a dry run. */
  approval(teamId: string, runId: string): Promise<(Approval & { at: Date }) | null>;
  /** Who requested the run to stop, and when; null if nobody did. */
  stop(teamId: string, runId: string): Promise<{ by: string; at: Date } | null>;
  /** True for a request made by a button in a thread. */
  isPressed(teamId: string, requestId: string): Promise<boolean>;
  /** The history of the incident that a run opened, as far as it is known. */
  life(teamId: string, runId: string): Promise<Life | null>;
  enqueue(parcel: NewParcel): Promise<void>;
}
