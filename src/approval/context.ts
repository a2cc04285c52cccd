import type { Message, Say } from '../blocks/message.ts';
import type { TellDamage } from '../core/damaged-row.ts';
import type { Problem } from '../core/dedup-key.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Plan } from '../core/plan.ts';
import type { Approver } from '../core/policy.ts';
import type { Revision, Sealed } from '../core/revision.ts';
import type { SlotChange } from '../core/slot-change.ts';
import type { Resolved, TargetContext } from '../core/tool.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import type { StoredRevision } from '../store/stored-revision.ts';
import type { Db, RevisionRow } from '../store/tables.ts';
import type { Rules } from './basis.ts';
import type { CardState } from './card/state.ts';
import type { Manifests } from './card/step-view.ts';
import { type Judged, withJoiners } from './may-approve.ts';
import type { PeopleDirectory } from './ports.ts';
import type { ApprovalProgress } from './required-approvals.ts';

/** A reminder: the message for the card's thread, and the people messaged directly. */
export interface Reminder {
  readonly kind: 'reminded' | 'escalated';
  readonly thread: Message | null;
  readonly direct: readonly { readonly userId: string; readonly message: Message }[];
}

/** Cards and messages, from the report stage. A returned message is to be stored with its event. */
export interface Reporting {
  /** Shows a new card, and the final state of the card it replaces. */
  propose(revision: Revision): Promise<void>;
  card(revision: Revision, state: CardState): Promise<void>;
  /** Updates an open card with the progress of several approvals. */
  progress(revision: Revision, progress: ApprovalProgress): Promise<void>;
  /** Updates an open card with its other requesters; one that was deleted is posted again. */
  asked(revision: Revision): Promise<void>;
  cardMessage(revision: Revision, state: CardState): OutboxMessage;
  /** The final state of a card whose plan is damaged. */
  damagedCard(of: Pick<Sealed, 'requestId' | 'number'>): OutboxMessage;
  nudges(revision: Revision, reminder: Reminder): readonly OutboxMessage[];
  toChannel(teamId: string, channel: string, key: string, message: Message): OutboxMessage;
  toThread(of: Sealed, key: string, message: Message): OutboxMessage;
  /** Call after storing something to send. */
  kick(): void;
}

/** A workspace's rows, rules and people, and functions of other stages. */
export interface ApprovalContext {
  readonly db: Db;
  readonly teamId: string;
  readonly damaged: TellDamage;
  readonly people: PeopleDirectory;
  readonly reporting: Reporting;
  readonly manifests: Manifests;
  /** The current ones, to compare with those a card was made under. */
  readonly rules: Rules;
  /** People who may stop and allow all writes from Slack. */
  readonly operators: readonly Approver[];
  /** The default channel, for announcing anything unusual. */
  readonly announceIn: string | null;
  /** True for the requester, and for members of the channel with its card. */
  maySee(userId: string, requestId: string): Promise<boolean>;
  /** Address of a card; null while it has none. */
  cardLink(row: RevisionRow | null): Promise<string | null>;
  /** Looks up a plan's targets. */
  resolve(
    plan: Plan,
    problems: readonly Problem[],
    of: Pick<TargetContext, 'asker' | 'signal'>,
  ): Promise<Resolved>;
  /** The plan with a read of what is known about its problem, where it has one and something is known. */
  withKnowledge(plan: Plan, channel: string): Promise<Plan>;
  /** Slack ids of the people who answered a request's stored questions. */
  answerersOf(question: Json | null): readonly string[];
  /** A way to reply to the requester, for as long as that is possible. */
  replyTo(requestId: string): Say | undefined;
  /** Begins a run right behind the commit that stores it, on its connection, where that is possible. */
  startBehind(connection: Db, runId: string): Promise<void>;
  /** Called once with a person's changes to a plan. */
  edited(changes: readonly SlotChange[]): void;
  /** Called once for each revision that is decided, replaced or expired. */
  decided(revision: RevisionRow): void;
  readonly now: () => Date;
  readonly log: Log;
}

/** A plan under the current rules. */
export function judgedNow(
  stored: Pick<StoredRevision, 'revision' | 'joiners'>,
  { rules, manifests, people, now }: Pick<ApprovalContext, 'rules' | 'manifests' | 'people' | 'now'>,
): Judged {
  return { revision: withJoiners(stored), policy: rules.policy, manifests, people, now: now() };
}
