import type { Message, Say } from '../blocks/message.ts';
import type { Agent } from '../core/agent.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import type { Plan } from '../core/plan.ts';
import type { FixReply } from '../core/planning.ts';
import type { Request, StoredRequest } from '../core/request.ts';
import type { Receiver } from '../store/outbox-messages.ts';
import type { TolerantDb } from '../store/tables.ts';
import type { Conversation } from './conversation.ts';
import type { ReadyMade } from './plan-form-blocks.ts';
import type { LimitedKind } from './words.ts';

/** Something that a person made, and that others may not change. */
export interface Owned {
  readonly id: string;
  readonly owner: string;
}

/** An incident as a button. */
interface OpenIncident {
  readonly number: number;
  readonly title: string;
  readonly service: string | null;
}

/** Dependencies of requests besides their rows. */
export interface RequestContext extends TolerantDb {
  readonly slack: {
    /** The words of a message that starts a thread; null if it is our own, or gone. */
    wordsAt(of: { channel: string; ts: string }): Promise<string | null>;
    /** Slack ids of all who wrote in a thread, the bot aside. */
    writersIn(of: { channel: string; ts: string }): Promise<ReadonlySet<string>>;
  };
  /** Queues a message to a channel or person, once per key. */
  send(teamId: string, to: Receiver, key: string, message: Message): Promise<void>;
  /** Sends what was stored to be sent. */
  kick(): void;
  readonly catalogue: Catalogue;
  /** Agents that may propose. */
  readonly agents: readonly Agent[];
  /** Requests of a kind in an hour for each person. */
  readonly perHour: Readonly<Record<LimitedKind, number>>;
  /** Plans are made by a model, which may take a while. */
  readonly hasModel: boolean;
  /** Playbooks that can run here. */
  readyMade(): Promise<readonly ReadyMade[]>;
  /** True for the requester, and for members of the channel where it is discussed. */
  maySee(userId: string, requestId: string): Promise<boolean>;
  /** Only full members may ask, answer and change. A person who may not has been told; so below. */
  mayAsk(who: Who, say: Say): Promise<boolean>;
  mayEndWatch(watch: Owned, who: Who, say: Say): Promise<boolean>;
  mayRemovePlaybook(playbook: Owned, who: Who, say: Say): Promise<boolean>;
  /** Whether the words order a change to the plan, as far as that can be decided without a model. */
  ordersChange(request: StoredRequest, plan: Plan, words: string): Promise<'surely' | 'perhaps' | 'no'>;
  /** Whether words under an open question are clearly a request of their own. */
  isNewRequest(
    request: StoredRequest,
    open: NonNullable<Conversation['open']>,
    words: string,
  ): Promise<'besides' | 'instead' | 'no'>;
  /** Replies that would change a plan, as people type them. */
  changesOf(plan: Plan): readonly string[];
  /** True when words below an answer surely ask for something that can be looked up. */
  isQuestion(request: StoredRequest, words: string): Promise<boolean>;
  /** True when words to the bot in a thread ask for something of their own, and not for a change. */
  isOwnRequest(request: StoredRequest, words: string): Promise<boolean>;
  /** Says in a thread what the bot is doing there; empty words end that. */
  doing(
    at: Pick<Request, 'teamId' | 'channel' | 'goal'> & { threadTs: string },
    words: string,
  ): Promise<void>;
  /** Ends that once a request is handled, unless its run goes on. */
  handled(request: Request): Promise<void>;
  /** Ends a watch, for who may. */
  endWatch(id: string, who: Who, say: Say): Promise<void>;
  /** Requests that work here and are near to one that does not, as typed after `/plan`. */
  nearest(goal: string): Promise<readonly string[]>;
  /** Incidents that are open in PagerDuty, newest first. */
  openIncidents(signal: AbortSignal): Promise<readonly OpenIncident[]>;
  /** The plan of a cause's fix, or why there is none. */
  fixOf(of: { readonly cause: string; readonly service: string }): Promise<FixReply>;
  /** The supported causes of a service that have a fix, read anew; `counts` has the verdicts on all of them. */
  fixesNow(of: {
    readonly service: string;
    readonly channel: string;
    readonly requester: string;
  }): Promise<{ readonly fixes: readonly string[]; readonly counts: string }>;
  readonly now: () => Date;
  readonly log: Log;
}
