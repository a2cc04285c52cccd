import type { Catalogue } from '../core/catalogue.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers, Writers } from '../core/ports.ts';
import type { RequestState } from '../core/request.ts';
import type { Approval, FailedRun, RunEvent, RunMode, RunOutcome, StepResult } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';

export interface RunKey {
  readonly teamId: string;
  readonly runId: string;
}

export interface Grant {
  readonly digest: string;
  /** Slack user id. */
  readonly approver: string;
  readonly createdAt: Date;
}

export interface Cancel {
  /** Slack user id. */
  readonly by: string;
  readonly reason: string;
}

export interface WriteRecord {
  readonly state: 'intended' | 'made' | 'failed' | 'unknown';
  readonly evidence: Json | null;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Of the last attempt. */
  readonly updatedAt: Date;
}

/** All that is stored of a run: what was approved, its yes, and how far it came. */
export interface Checkpoint {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  readonly state: 'running' | 'finished';
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  /** Something of it was stored before, so its start stands in the log. */
  readonly begun: boolean;
  readonly startedAt: Date;
  readonly cancel: Cancel | null;
  readonly revision: { readonly bytes: string; readonly digest: string } | null;
  /** Where its card stands in Slack; null when it was never posted. */
  readonly card: { readonly channel: string; readonly ts: string } | null;
  readonly grant: (Grant & Approval) | null;
  readonly results: readonly StepResult[];
  /** What the reads before the yes came to; null where there were none. */
  readonly facts: readonly StepResult[] | null;
  readonly writes: readonly (WriteRecord & { readonly stepId: string; readonly tool: string })[];
}

/** Everything in the database that says whether a write may be made now. */
export interface WriteFacts {
  readonly cancel: Cancel | null;
  /** Who stopped all writes of the team; null while they are allowed. */
  readonly kill: { readonly actor: string; readonly reason: string } | null;
  /** `bytesDigest` is taken over the stored bytes. */
  readonly revision: { readonly digest: string; readonly bytesDigest: string } | null;
  readonly grant: Grant | null;
}

/** At most `max` writes with the tool to `target` since a moment, the new one included. */
export interface WriteCap {
  readonly since: Date;
  readonly max: number;
  readonly target: string;
}

export interface AuditEntry {
  readonly teamId: string;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Json;
}

/** A step as far as it came: it runs while it has no result. */
export interface StepNow {
  readonly stepId: string;
  readonly tool: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly result: StepResult | null;
}

/** What became of a write, with the line that says so. */
export interface Settled {
  readonly key: string;
  readonly state: 'made' | 'failed' | 'unknown';
  readonly evidence: Json;
  /** Something was added to what had been made. */
  readonly adds?: true;
  readonly at: Date;
  readonly line: AuditEntry;
}

/** What is told in Slack, as the outbox keeps it. */
export interface Message {
  readonly teamId: string;
  readonly conversation: string;
  readonly key: string;
  readonly kind: 'card' | 'reply' | 'final' | 'private' | 'update';
  readonly payload: Json;
  readonly now: Date;
}

/** What a run found out since it last stored something. */
export interface Progress extends RunKey {
  /** This process: what another one has taken over is not stored. */
  readonly executor: string;
  readonly steps: readonly StepNow[];
  readonly lines: readonly AuditEntry[];
}

export interface Commit extends Progress {
  readonly writes: readonly Settled[];
  readonly messages: readonly Message[];
  /** Null while the run goes on. */
  readonly end: {
    readonly outcome: RunOutcome;
    readonly at: Date;
    /** Where its request goes with it; null for a dry run. */
    readonly request: {
      readonly id: string;
      readonly to: RequestState;
      readonly from: readonly RequestState[];
    } | null;
    /** The revision that needs no yes, because there is nothing to write. */
    readonly answered: { readonly requestId: string; readonly number: number } | null;
  } | null;
}

export interface Intent extends Progress {
  readonly stepId: string;
  readonly tool: string;
  readonly key: string;
  /** `service:ops`, `channel:#ops`. */
  readonly targets: readonly string[];
  readonly caps: readonly WriteCap[];
  /** Counts all attempts at this write, those of earlier processes too; null adds to one that was made. */
  readonly attempt: number | null;
  readonly at: Date;
  /** The line that has to be on disk before the write. */
  readonly line: AuditEntry;
}

/**
 * - `intended`: it stands in the log, and this process may make it.
 * - `refused`: what the caller said to the facts.
 * - `existing`: somebody else was here.
 * - `lost`: the run has ended, or another process has it.
 */
export type IntendResult<R> =
  | { readonly kind: 'intended' | 'lost' }
  | { readonly kind: 'refused'; readonly refusal: R }
  | { readonly kind: 'existing'; readonly write: WriteRecord }
  | { readonly kind: 'over_cap'; readonly cap: WriteCap; readonly count: number };

/** A run that has not ended, as it was seen. */
export interface OpenRun extends RunKey {
  /** How often a process took it. */
  readonly entered: number;
}

export interface ListedRun extends OpenRun {
  /** The process that has it; null while nobody does. */
  readonly holder: string | null;
  /** True when that process is gone. */
  readonly isLeft: boolean;
}

/** A run that is in the hands of this process from now on. */
export interface Taken {
  readonly entered: number;
  readonly stored: Checkpoint;
}

/** The rows a run lives on. Every call may be repeated: after an error, and after a restart. */
export interface RunStore {
  load(key: RunKey): Promise<Checkpoint | null>;
  cancelOf(key: RunKey): Promise<Cancel | null>;
  /** Notes a write with all that led to it, its caps and its audit line in one transaction, unless it is refused. */
  intend<R>(intent: Intent, refusal: (facts: WriteFacts) => R | null): Promise<IntendResult<R>>;
  /** Stores what was found out and what is told of it, in one transaction. False when another process has the run. */
  commit(commit: Commit): Promise<boolean>;
  /** The oldest write that counts against a cap. */
  firstWrite(filter: { teamId: string; tool: string; target: string; since: Date }): Promise<{
    at: Date;
    evidence: Json | null;
  } | null>;
}

/** The rows by which processes share the runs. */
export interface SharedRuns {
  /** Runs of all teams that have not ended, oldest first. */
  openRuns(): Promise<readonly ListedRun[]>;
  /** Takes a run for a process: whoever had it may not act in it any more. Null when it stands otherwise by now. */
  take(run: OpenRun, processId: string): Promise<Taken | null>;
}

/** Proof that this process lives. */
export interface ExecutorLock {
  /** From now on `take` is told of every run that a process without a runner has stored. */
  onOffer(take: (run: RunKey) => void): Promise<void>;
  release(): Promise<void>;
}

/** Who works on a run: a process, and each time that it was taken somebody new. */
export interface Executor {
  readonly id: string;
  /** Resolves while runs are in the hands of this process, and never again once they were left to others. */
  readonly ours: () => Promise<void>;
  /** Digests of the catalogue and the policy as this process has them for the workspace of the run. */
  readonly rules: { readonly catalogue: string; readonly policy: string };
}

/** What a run is worked on with. Only `writers` can change anything outside, and only the write path has them. */
export interface WorkDeps {
  readonly store: RunStore;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly readers: Readers;
  readonly writers: Writers;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Address in Slack of the card whose thread tells of the run, or null. */
  readonly threadLink: (card: NonNullable<Checkpoint['card']>) => Promise<string | null>;
  /** What a model thinks of a criterion in words; shown as an opinion, never acted upon. Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
  /** What people are told of an event; it is stored together with what it tells of. */
  readonly messagesFor: (event: RunEvent) => Promise<readonly Message[]>;
  /** Called once an event and its messages are stored, in order. */
  readonly emit: (event: RunEvent) => Promise<void>;
  /** A run that did not end well, so that what is left can be planned anew. May be called twice for one run. */
  readonly onFailure: (failed: FailedRun) => Promise<void>;
  /** Stands around the work on a run, which goes on unchanged. */
  readonly around?: <T>(run: RunKey, work: () => Promise<T>) => Promise<T>;
  readonly now: () => Date;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** 0 to 1, for the spread of retries. */
  readonly random: () => number;
  readonly log: Log;
}

/** Everything a runner is given. */
export interface RunnerDeps extends Pick<WorkDeps, 'log'> {
  readonly store: SharedRuns;
  /** With what runs of a workspace are worked on; null for one that this process does not serve. */
  readonly workOf: (teamId: string) => WorkDeps | null;
  /** Holds a lock named after this process for as long as it lives. */
  readonly holdLock: (executorId: string, onLost: (reason: Error) => void) => Promise<ExecutorLock>;
  /** Called when the lock is lost: others may run our steps from now on, so the process has to end. */
  readonly onLost: (reason: Error) => void;
  /** Does something now, and then about every second while runs are open; `stop` waits for the round under way. */
  readonly whileOpen: (round: () => Promise<void>) => { stop(): Promise<void> };
}
