import { z } from 'zod';
import type { Block, Message } from '../blocks/message.ts';
import type { Life } from '../core/life.ts';
import type { Revision } from '../core/revision.ts';
import type { Approval, StepResult } from '../core/run.ts';

export const messageSchema = z.strictObject({ text: z.string(), blocks: z.array(z.custom<Block>()) });
const requestId = z.string();
const number = z.int();

/** Where a message goes. Cards and threads are named by revision: their timestamps may not exist yet. */
const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('card'), requestId, number }),
  z.strictObject({ kind: z.literal('thread'), requestId, number }),
  z.strictObject({ kind: z.literal('channel'), channel: z.string(), threadTs: z.string().nullable() }),
  z.strictObject({ kind: z.literal('person'), userId: z.string() }),
  /** The message that a watch is known by, and its thread; of one without a message, its channel. */
  z.strictObject({ kind: z.enum(['watch', 'watch_thread']), id: z.string() }),
]);

/** What waits in the outbox. `fallback` is sent where a workspace does not take the blocks of `message`. */
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
  /** Parcels of one conversation go out in order; ours are request ids. */
  readonly conversation: string;
  readonly key: string;
  readonly kind: ParcelKind;
  /** A Parcel as JSON. */
  readonly payload: unknown;
  readonly version: number;
  /** Counts this attempt. */
  readonly attempts: number;
  readonly sentTs: string | null;
  readonly createdAt: Date;
}

export interface OutboxPort {
  due(take: { now: Date; limit: number; leaseMs: number }): Promise<readonly QueuedParcel[]>;
  /** Keeps what was taken from others for longer. */
  renew(lease: { id: number; until: Date }): Promise<void>;
  /** With `until`, takes until then what waits behind it, or its own newer payload; null when there is none. */
  markSent(
    sent: Pick<QueuedParcel, 'id' | 'teamId' | 'conversation' | 'version' | 'sentTs'> & {
      now: Date;
      until: Date | null;
    },
  ): Promise<QueuedParcel | null>;
  /** Puts off a message until the next attempt. */
  markFailed(failed: { id: number; error: string; nextAttemptAt: Date }): Promise<void>;
  /** Will not be sent any more; what is said instead is queued in the same moment. */
  giveUp(of: { id: number; error: string; instead: NewParcel | null }): Promise<void>;
}

/** What the delivery asks of Slack. Methods throw VendorErrors. */
export interface PostOffice {
  post(to: {
    channel: string;
    threadTs: string | null;
    message: Message;
    key: string;
  }): Promise<{ channel: string; ts: string }>;
  update(of: { channel: string; ts: string; message: Message; key: string }): Promise<void>;
  /** Address of a message that stands there. */
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

/** Where the cards are. */
export interface CardBook {
  /** Notes what people are about to see of a revision that waits for a decision. */
  shown(card: {
    teamId: string;
    requestId: string;
    number: number;
    channel: string;
    message: Message;
  }): Promise<void>;
  /** Channel and thread in which the card of a request goes. */
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
  /** Where a watch was asked for, and its message; null when there is no such watch. */
  watchAt(
    teamId: string,
    id: string,
  ): Promise<{ channel: string; threadTs: string | null; ts: string | null } | null>;
  rememberWatch(watch: { teamId: string; id: string; ts: string }): Promise<void>;
}

/** A step of a run as it stands now. */
export interface StepNow {
  readonly stepId: string;
  readonly running: boolean;
  readonly result: StepResult | null;
}

/** A parcel before it is in the outbox. */
export interface NewParcel {
  readonly teamId: string;
  readonly conversation: string;
  readonly key: string;
  readonly kind: ParcelKind;
  readonly parcel: { readonly place: Place; readonly message: Message; readonly fallback: Message | null };
}

/** What the reporter reads and where it puts its messages. */
export interface ReportPorts {
  revision(teamId: string, requestId: string, number: number): Promise<Revision | null>;
  steps(teamId: string, runId: string): Promise<readonly StepNow[]>;
  /** Who gave the yes, and when; null for a dry run. */
  approval(teamId: string, runId: string): Promise<(Approval & { at: Date }) | null>;
  /** Who asked the run to stop, and when; null while nobody has. */
  stop(teamId: string, runId: string): Promise<{ by: string; at: Date } | null>;
  /** True for what a button in a thread asked for. */
  isPressed(teamId: string, requestId: string): Promise<boolean>;
  /** What became of the incident that a run opened, as far as that is known already. */
  life(teamId: string, runId: string): Promise<Life | null>;
  enqueue(parcel: NewParcel): Promise<void>;
}
