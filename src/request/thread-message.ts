import type { Who } from '../core/person.ts';
import type { Plan } from '../core/plan.ts';
import type { NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { DecidedInWords } from './decisions.ts';
import type { Arrival } from './intake.ts';

/** A person's message in a thread. */
export interface ThreadMessage extends Who {
  /** The same for every delivery of the message. */
  readonly key: string;
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly text: string;
  /** True when the bot was mentioned: then it always answers. */
  readonly mentioned: boolean;
}

/** Classifies a message in a thread: an answer, a change in words, a new request, already handled, or talk between people. */
export type Heard =
  | ({ readonly kind: 'answer' } & NextTurn<StoredRequest>)
  | ({ readonly kind: 'change'; readonly plan: Plan } & NextTurn<StoredRequest>)
  | { readonly kind: 'request'; readonly arrival: Arrival }
  | DecidedInWords
  | { readonly kind: 'done' }
  | { readonly kind: 'talk' };

/** The request that a message makes. A question above it stays open. */
export function arrivalOf({ key, userId: requester, home, channel, threadTs, text }: ThreadMessage): Arrival {
  return { key, text, via: 'mention', requester, home, channel, threadTs, quoted: null };
}
