import type { Message, Say } from '../blocks/message.ts';
import type { Finding } from '../core/finding.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Who } from '../core/person.ts';
import type { Plan } from '../core/plan.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import type { CriterionResult, StepResult } from '../core/run.ts';
import type { WatchLimits } from '../core/watch.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import type { RevisionRow, TolerantDb } from '../store/tables.ts';

/** Results of a plan's reads. */
export interface Seen {
  readonly results: readonly StepResult[];
  readonly criteria: readonly CriterionResult[];
}

/** Messages for Slack, to be stored with their event. */
export interface WatchMessages {
  /** `message` posts the message of a watch, `update` changes it, `reply` goes to its thread. */
  toWatch(
    teamId: string,
    id: string,
    kind: 'message' | 'update' | 'reply',
    of: { readonly key: string; readonly message: Message },
  ): OutboxMessage;
  toThread(
    of: Pick<RevisionRow, 'teamId' | 'requestId' | 'number'>,
    key: string,
    message: Message,
  ): OutboxMessage;
  toChannel(teamId: string, channel: string, key: string, message: Message): OutboxMessage;
  /** Call after they are stored. */
  kick(): void;
}

/** Dependencies of watches besides their rows. */
export interface WatchContext extends TolerantDb {
  readonly limits: WatchLimits;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** The operator's vetted queries. */
  readonly queries: readonly QueryTemplate[];
  readonly reporting: WatchMessages;
  readonly pagerduty: {
    incident(id: string, signal: AbortSignal): Promise<{ readonly state: string } | null>;
  };
  /** Findings on a plan under the current catalogue and rules. */
  review(plan: Plan, channel: string): { readonly findings: readonly Finding[] };
  /** Runs a plan's reads without keeping anything. */
  read(of: { readonly requestId: string; readonly requester: string; readonly plan: Plan }): Promise<Seen>;
  /** Cancels a card, unless it was decided meanwhile, and updates it. */
  cancelCard(card: RevisionRow, reason: string): Promise<void>;
  /** Posts the handover for the next shift to a channel, once per key. */
  handOver(channel: string, hours: number, key: string): Promise<void>;
  /** Posts the statistics of the last days to a channel, once per key. */
  postReport(channel: string, days: number, key: string): Promise<void>;
  /** Whether a person may end a watch, and therefore change it; a person who may not has been told. */
  mayEnd(watch: { readonly id: string; readonly owner: string }, who: Who, say: Say): Promise<boolean>;
  readonly now: () => Date;
  readonly log: Log;
}
