import type { Generated, Kysely } from 'kysely';
import type { Rating } from '../blocks/rating.ts';
import type { ProposedBy } from '../core/agent.ts';
import type { PlannerAnswer } from '../core/answer.ts';
import type { TellDamage } from '../core/damaged-row.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { StoredRequest } from '../core/request.ts';
import type { RevisionState } from '../core/revision.ts';
import type { RunMode, RunOutcome, StepStatus } from '../core/run.ts';
import type { StandingApproval } from '../core/standing-approval.ts';
import type { CheckOutcome } from '../core/verify.ts';

/** The columns of all tables, in one file: a query may name any of them, and this is where they are looked up. */

export type RunState = 'running' | 'finished';
export type WriteState = 'intended' | 'made' | 'failed' | 'unknown';
export type OutboxKind = 'card' | 'reply' | 'final' | 'private' | 'update';
export type OutboxState = 'pending' | 'sent' | 'dead';
export type TickState = 'fired' | 'missed';

export interface RequestRow extends StoredRequest {
  /** The equivalent request it joined, which was active at that time. */
  readonly joined: string | null;
  readonly agent: ProposedBy | null;
  /** Digest of an agent's proposal, by which a repeated one is known. */
  readonly agentBody: string | null;
  /** The agent's own id of what belongs together. */
  readonly agentGroup: string | null;
  /** The agent's answer instead of a card: a code and a sentence. */
  readonly agentAnswer: { readonly code: string; readonly message: string } | null;
}

export interface RevisionRow {
  readonly teamId: string;
  readonly requestId: string;
  /** Counts from 1 within the request. */
  readonly number: number;
  readonly digest: string;
  /** Canonical JSON that the card is rendered from and that the digest covers. */
  readonly bytes: string;
  /** Slack user ids of the requester and of everyone who edited: they count for four eyes. */
  readonly authors: string[];
  /** Equal for plans that do the same thing; null for plans that only read. */
  readonly planKey: string | null;
  readonly state: RevisionState;
  /** Planner and model usage. */
  readonly origin: Json;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly cardChannel: string | null;
  readonly cardTs: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** When the next reminder is due; null for never. */
  readonly nudgeAt: Date | null;
  /** Number of reminders sent. */
  readonly nudges: number;
}

export interface RunRow {
  readonly teamId: string;
  readonly id: string;
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  readonly state: RunState;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly cancelBy: string | null;
  readonly cancelAt: Date | null;
  readonly cancelReason: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Its holder: a process, and how often the run was taken; null while nobody holds it. */
  readonly executor: string | null;
  readonly entered: number;
}

export interface GrantRow {
  readonly teamId: string;
  readonly runId: string;
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  readonly approver: string;
  readonly createdAt: Date;
  readonly consumedAt: Date | null;
  /** The standing approval that granted it, if any. */
  readonly standing: string | null;
  /** The approver broke glass. */
  readonly glass: boolean;
}

export interface StepResultRow {
  readonly teamId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly status: StepStatus | 'running';
  readonly result: JsonObject | null;
  /** Code and message of the failure. */
  readonly reason: JsonObject | null;
  /** Remarks in addition to the outcome. */
  readonly notes: string[] | null;
  readonly attempts: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

export interface WriteRow {
  readonly teamId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly tool: string;
  /** Made of run and step; lets the vendor recognise a repetition. */
  readonly key: string;
  /** For example `service:ops`; any spelling the run stage uses, as long as it is consistent. */
  readonly targets: string[];
  readonly state: WriteState;
  readonly evidence: Json | null;
  readonly attempts: number;
  /** The process that made the last attempt. */
  readonly executor: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AuditRow {
  readonly teamId: string;
  readonly seq: number;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  /** Canonical JSON. */
  readonly data: string;
  readonly prevHash: string;
  readonly hash: string;
  /** Key of the hash; null in lines from before keys existed. */
  readonly keyId: string | null;
}

export interface OutboxRow {
  readonly id: number;
  readonly teamId: string;
  /** Messages of one conversation are sent strictly in queue order. */
  readonly conversation: string;
  readonly key: string;
  readonly kind: OutboxKind;
  readonly payload: Json;
  /** Number of times the payload was replaced. */
  readonly version: number;
  /** It was changed after being queued, and stays so if the same message is queued again. */
  readonly rewritten: boolean;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly lastError: string | null;
  /** Slack's timestamp of the message, once it was posted. */
  readonly sentTs: string | null;
  readonly createdAt: Date;
}

export interface TickRow {
  readonly teamId: string;
  readonly schedule: string;
  readonly tick: Date;
  readonly state: TickState;
  readonly at: Date;
}

/** One approval for all runs of the same plan of a watch or playbook. */
export interface StandingRow extends Omit<StandingApproval, 'approvers'> {
  readonly teamId: string;
  /** The people who gave it. */
  readonly yeses: string[];
  readonly createdAt: Date;
  readonly endedBy: string | null;
  readonly endReason: string | null;
}

export interface StandingUseRow {
  readonly teamId: string;
  readonly standing: string;
  readonly runId: string;
  readonly writes: number;
  readonly at: Date;
}

/** A watch, from the operator's file or by a person. */
export interface WatchRow {
  readonly teamId: string;
  /** For one from the operator's file, its name there. */
  readonly id: string;
  /** Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  readonly goal: string;
  /** Digest of its entry in the operator's file and what that depends on; null for a person's watch. */
  readonly entry: string | null;
  /** Null until a file watch's goal is planned. */
  readonly plan: Json | null;
  readonly planner: string;
  readonly every: Json;
  readonly until: Date | null;
  readonly worse: Json;
  readonly channel: string;
  /** Thread in which it was requested. */
  readonly threadTs: string | null;
  /** Slack's timestamp of the message that announced it. */
  readonly messageTs: string | null;
  readonly createdAt: Date;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
  readonly lookedAt: Date | null;
  readonly lookKey: string | null;
  /** The finding of the last check, in words. */
  readonly found: string | null;
  readonly alarm: Json;
  /** Request that heads the problem's thread, while there is a problem. */
  readonly problem: string | null;
  readonly askedKey: string | null;
}

export interface SwitchRow {
  readonly teamId: string;
  readonly name: string;
  readonly isOn: boolean;
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

export interface ModelCallRow {
  readonly teamId: string;
  readonly requestId: string | null;
  readonly model: string;
  readonly purpose: string;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly usd: number;
  readonly ms: number;
  readonly at: Date;
}

export interface PlaybookRow {
  readonly teamId: string;
  readonly name: string;
  /** YAML, in the format of the installation's files. */
  readonly source: string;
  /** Slack user id of the person who saved it. */
  readonly owner: string;
  readonly createdAt: Date;
}

/** An incoming event. */
export interface InboxRow {
  readonly teamId: string;
  /** The same for every delivery of one event. */
  readonly key: string;
  /** Null once it is done: people's words are not kept here. */
  readonly event: Json | null;
  /** The process working on it. */
  readonly executor: string;
  readonly attempts: number;
  readonly at: Date;
  readonly doneAt: Date | null;
}

/** A refused click recorded in the audit log. */
export interface RefusalRow {
  readonly teamId: string;
  readonly key: string;
  readonly at: Date;
}

/** One person's approval of a revision; several may be needed. */
export interface ApprovalRow {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  /** Slack user id. */
  readonly approver: string;
  readonly at: Date;
}

/** A target named by a plan: `service:ops`, `issue:OPS-7`. */
export interface PlanTargetRow {
  readonly teamId: string;
  readonly target: string;
  /** When the plan was requested. */
  readonly at: Date;
  readonly requestId: string;
}

/** An incident opened by a run, while it is followed and afterwards. */
export interface IncidentRow {
  readonly teamId: string;
  /** PagerDuty's id. */
  readonly id: string;
  /** Its last read state; null before the first read. See `core/incident-history.ts`. */
  readonly life: Json | null;
  /** Keys of the events already reported in threads. */
  readonly told: string[];
  /** When the run opened it. */
  readonly openedAt: Date;
  /** When it is read next; null when it is no longer followed. */
  readonly lookAt: Date | null;
  /** Consecutive failed reads. */
  readonly failures: number;
}

/** Whether a write helped, looked up after its run. */
export interface CheckRow {
  readonly teamId: string;
  readonly runId: string;
  readonly stepId: string;
  /** When its condition must hold. */
  readonly until: Date;
  /** When it is looked up next; null when it has ended. */
  readonly lookAt: Date | null;
  /** Null while it is open. */
  readonly outcome: CheckOutcome | null;
  /** The finding as the thread says it. */
  readonly words: string | null;
  readonly endedAt: Date | null;
}

/** Alerts that one rule shows for one service, with the message about them. */
export interface AlertProblemRow {
  readonly teamId: string;
  readonly id: string;
  /** Name of the rule. */
  readonly rule: string;
  /** The operator's service, as the rule or a label says; it may be unknown or empty. */
  readonly service: string;
  readonly channel: string;
  /** Slack's timestamp of its message. */
  readonly messageTs: string | null;
  /** Its message was queued; not yet during quiet hours. */
  readonly posted: boolean;
  /** Digest of the message as it was last queued. */
  readonly shown: string | null;
  readonly state: 'open' | 'closed';
  readonly openedAt: Date;
  /** When it last began. */
  readonly firedAt: Date;
  readonly closedAt: Date | null;
  /** Number of times it began. */
  readonly firings: number;
  /** See `alerts/evidence.ts`; null before the first look. */
  readonly evidence: Json | null;
  readonly evidenceAt: Date | null;
  /** Its cards were requested. */
  readonly proposed: boolean;
  /** When it is looked at next; null for never. */
  readonly lookAt: Date | null;
}

/** The last report about an alert. */
export interface AlertRow {
  readonly teamId: string;
  readonly door: string;
  readonly fingerprint: string;
  /** Null for one that was over before it was heard of. */
  readonly problem: string | null;
  readonly state: 'firing' | 'resolved';
  readonly labels: Record<string, string>;
  readonly title: string;
  readonly text: string;
  readonly link: string;
  readonly since: Date;
  readonly until: Date | null;
  readonly heardAt: Date;
}

/** A card as sent to Slack while it was open to decisions. */
export interface ShownCardRow {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  /** SHA-256 of the message as canonical JSON; also in the audit log. */
  readonly hash: string;
  readonly message: Json;
  readonly at: Date;
}

/** A card as it is sent to Slack. */
export interface ShownCard extends Omit<ShownCardRow, 'hash'> {
  readonly channel: string;
}

/** A process that uses this database, or did. */
export interface ProcessRow {
  readonly id: string;
  readonly teamId: string;
  readonly role: string;
  readonly version: string;
  /** Digest of everything that decides about plans: two processes that differ in it stop each other's runs. */
  readonly rules: string;
  readonly startedAt: Date;
}

/** The bot's installation in a workspace, or in all workspaces of a company. */
export interface InstallationRow {
  /** Id of the workspace, or of the company for an installation in all its workspaces. */
  readonly teamId: string;
  readonly name: string;
  readonly isCompany: boolean;
  readonly botUserId: string;
  readonly botId: string;
  /** Encrypted; null once it was removed. */
  readonly token: string | null;
  /** Slack user id. */
  readonly installedBy: string;
  readonly installedAt: Date;
  readonly removedAt: Date | null;
  /** When all work that was open there had been ended. */
  readonly closedAt: Date | null;
}

/** A second planner's answer to a request, which nobody was shown. */
export interface ShadowPlanRow {
  readonly teamId: string;
  readonly requestId: string;
  /** Name of the planner whose answer was shown: its model, or `everyday`. */
  readonly shown: string;
  readonly planner: string;
  readonly shownKind: PlannerAnswer['kind'];
  readonly kind: PlannerAnswer['kind'] | 'failed';
  readonly plan: Json | null;
  readonly at: Date;
}

/** How a person rated an answer or a finished run; their last rating counts. */
export interface RatingRow {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly userId: string;
  readonly rating: Rating;
  /** Why it was not helpful, in their words. */
  readonly why: string | null;
  readonly at: Date;
}

type WithDefaults<Row, Columns extends keyof Row> = Omit<Row, Columns> & {
  [Column in Columns]: Generated<Row[Column]>;
};

/** The tables, in camelCase; a plugin of `openDatabase` converts names to the database's snake_case. */
export interface Tables {
  requests: RequestRow;
  revisions: WithDefaults<RevisionRow, 'nudges'>;
  runs: WithDefaults<RunRow, 'executor' | 'entered'>;
  grants: WithDefaults<GrantRow, 'glass'>;
  stepResults: WithDefaults<StepResultRow, 'notes'>;
  writes: WithDefaults<WriteRow, 'attempts' | 'executor'>;
  audit: AuditRow;
  outbox: WithDefaults<OutboxRow, 'id' | 'version' | 'rewritten' | 'state' | 'attempts'>;
  scheduleTicks: TickRow;
  watches: WatchRow;
  standingApprovals: StandingRow;
  standingUses: StandingUseRow;
  switches: SwitchRow;
  modelCalls: ModelCallRow;
  playbooks: PlaybookRow;
  refusals: RefusalRow;
  inbox: InboxRow;
  planTargets: PlanTargetRow;
  approvals: ApprovalRow;
  shownCards: ShownCardRow;
  processes: ProcessRow;
  installations: InstallationRow;
  incidents: WithDefaults<IncidentRow, 'told' | 'failures'>;
  alertProblems: WithDefaults<AlertProblemRow, 'posted' | 'firings' | 'proposed'>;
  alerts: AlertRow;
  checks: CheckRow;
  shadowPlans: ShadowPlanRow;
  ratings: RatingRow;
}

/** A pool, or a transaction on it. */
export type Db = Kysely<Tables>;

/** The database, for one workspace. */
export interface TeamDb {
  readonly db: Db;
  readonly teamId: string;
}

/** The same, for code in which one damaged row must not stop the rest. */
export interface TolerantDb extends TeamDb {
  readonly damaged: TellDamage;
}
