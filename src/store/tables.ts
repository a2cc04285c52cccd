import type { Generated, Kysely } from 'kysely';
import type { Json, JsonObject } from '../core/json.ts';
import type { StoredRequest } from '../core/request.ts';
import type { RevisionState } from '../core/revision.ts';
import type { RunMode, RunOutcome, StepStatus } from '../core/run.ts';
import type { StandingApproval } from '../core/standing.ts';

export type RunState = 'running' | 'finished';
export type WriteState = 'intended' | 'made' | 'failed' | 'unknown';
export type OutboxKind = 'card' | 'reply' | 'final' | 'private' | 'update';
export type OutboxState = 'pending' | 'sent' | 'dead';
export type TickState = 'fired' | 'missed';

export interface RequestRow extends StoredRequest {
  /** The request that it joined, because that asks for the same and was under way. */
  readonly joined: string | null;
}

export interface RevisionRow {
  readonly teamId: string;
  readonly requestId: string;
  /** Counts from 1 within the request. */
  readonly number: number;
  readonly digest: string;
  /** Canonical JSON that the card is made from and that the digest covers. */
  readonly bytes: string;
  /** Slack user ids of the requester and of everybody who edited: they count for four eyes. */
  readonly authors: string[];
  /** The same for plans that do the same; null for what only reads. */
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
  /** When people are reminded of it next; null for never. */
  readonly nudgeAt: Date | null;
  /** How often they were. */
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
  /** Who has it: its process and how often it was taken; null while nobody does. */
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
  /** The standing approval that it came of, if it did. */
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
  /** Code and message of why it did not succeed. */
  readonly reason: JsonObject | null;
  /** What people should know beside the outcome. */
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
  /** Made of run and step; what the vendor is given to recognise a repetition. */
  readonly key: string;
  /** Such as `service:ops`; whatever spelling the run stage uses, as long as it is always the same. */
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
  /** Key that the hash was made with; null in lines from before there were keys. */
  readonly keyId: string | null;
}

export interface OutboxRow {
  readonly id: number;
  readonly teamId: string;
  /** Messages of one conversation go out strictly in the order in which they were queued. */
  readonly conversation: string;
  readonly key: string;
  readonly kind: OutboxKind;
  readonly payload: Json;
  /** Counts the replacements of the payload. */
  readonly version: number;
  /** It was changed after it was queued, and stays so when the same is queued again. */
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

/** A yes that is given once for the same plan of a watch or playbook. */
export interface StandingRow extends StandingApproval {
  readonly teamId: string;
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

/** Something that is looked at again and again, by the operator's file or by a person. */
export interface WatchRow {
  readonly teamId: string;
  /** For one of the operator's file, the name that it has there. */
  readonly id: string;
  /** Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  readonly goal: string;
  /** Digest of its entry in the operator's file and of what that stands on; null for a person's. */
  readonly entry: string | null;
  /** Null until a goal of the file was planned. */
  readonly plan: Json | null;
  readonly planner: string;
  readonly every: Json;
  readonly until: Date | null;
  readonly worse: Json;
  readonly channel: string;
  /** Thread in which it was asked for. */
  readonly threadTs: string | null;
  /** Slack's timestamp of the message that says that it was made. */
  readonly messageTs: string | null;
  readonly createdAt: Date;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
  readonly lookedAt: Date | null;
  readonly lookKey: string | null;
  /** What the last look found, in words. */
  readonly found: string | null;
  readonly alarm: Json;
  /** Request that heads the thread of the problem, while there is one. */
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
  /** YAML, as the files of the installation are written. */
  readonly source: string;
  /** Slack user id of who saved it. */
  readonly owner: string;
  readonly createdAt: Date;
}

/** Something that arrived. */
export interface InboxRow {
  readonly teamId: string;
  /** The same for every delivery of the same thing. */
  readonly key: string;
  /** Null once it is done: what people wrote is not kept here. */
  readonly event: Json | null;
  /** The process that works on it. */
  readonly executor: string;
  readonly attempts: number;
  readonly at: Date;
  readonly doneAt: Date | null;
}

/** A refused click that the audit log has a line about. */
export interface RefusalRow {
  readonly teamId: string;
  readonly key: string;
  readonly at: Date;
}

/** A person's yes to a revision, of which several may be needed. */
export interface ApprovalRow {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  /** Slack user id. */
  readonly approver: string;
  readonly at: Date;
}

/** A plan named something: `service:ops`, `issue:OPS-7`. */
export interface PlanTargetRow {
  readonly teamId: string;
  readonly target: string;
  /** When the plan was asked for. */
  readonly at: Date;
  readonly requestId: string;
}

/** An incident that a run has opened, while it is followed and afterwards. */
export interface IncidentRow {
  readonly teamId: string;
  /** PagerDuty's id. */
  readonly id: string;
  /** As it was read last; null before the first time. See `core/life.ts`. */
  readonly life: Json | null;
  /** Keys of the events that threads were told. */
  readonly told: string[];
  /** When the run opened it. */
  readonly openedAt: Date;
  /** When it is read next; null when it is followed no more. */
  readonly lookAt: Date | null;
  /** Times in a row that it could not be read. */
  readonly failures: number;
}

/** A card as Slack was given it, while it could be decided on. */
export interface ShownCardRow {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  /** SHA-256 of the message as canonical JSON; the audit log has it, too. */
  readonly hash: string;
  readonly message: Json;
  readonly at: Date;
}

/** A process that works on this database, or did. */
export interface ProcessRow {
  readonly id: string;
  readonly teamId: string;
  readonly role: string;
  readonly version: string;
  /** Digest of what decides about plans: two processes that differ in it stop each other's runs. */
  readonly rules: string;
  readonly startedAt: Date;
}

/** The bot in a workspace, or in all workspaces of a company. */
export interface InstallationRow {
  /** Id of the workspace, or of the company where it was installed for all of one. */
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
  /** When everything that was open there had been ended. */
  readonly closedAt: Date | null;
}

type WithDefaults<Row, Columns extends keyof Row> = Omit<Row, Columns> & {
  [Column in Columns]: Generated<Row[Column]>;
};

/** The tables, in camelCase; the plugin of `openDatabase` turns names into the snake_case of the database. */
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
}

/** A pool, or a transaction on it. */
export type Db = Kysely<Tables>;
