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
  /** Time of the last attempt. */
  readonly updatedAt: Date;
}

/** All stored state of a run: what was approved, its approval, and its progress. */
export interface Checkpoint {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  readonly state: 'running' | 'finished';
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  /** Part of it was stored before, so its start is in the log. */
  readonly begun: boolean;
  readonly startedAt: Date;
  readonly cancel: Cancel | null;
  readonly revision: { readonly bytes: string; readonly digest: string } | null;
  /** Location of its card in Slack; null when it was never posted. */
  readonly card: { readonly channel: string; readonly ts: string } | null;
  readonly grant: (Grant & Approval) | null;
  readonly results: readonly StepResult[];
  /** Results of the reads before approval; null if there were none. */
  readonly facts: readonly StepResult[] | null;
  readonly writes: readonly (WriteRecord & { readonly stepId: string; readonly tool: string })[];
}

/** Everything in the database that decides whether a write may be made now. */
export interface WriteFacts {
  readonly cancel: Cancel | null;
  /** Who stopped all of the team's writes; null while they are allowed. */
  readonly kill: { readonly actor: string; readonly reason: string } | null;
  /** `bytesDigest` is taken over the stored bytes. */
  readonly revision: { readonly digest: string; readonly bytesDigest: string } | null;
  readonly grant: Grant | null;
}

/** At most `max` writes with the tool to `target` since a moment, including the new one. */
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

/** A step's progress; without a result it is running. */
export interface StepNow {
  readonly stepId: string;
  readonly tool: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly result: StepResult | null;
}

/** The outcome of a write, with its audit line. */
export interface Settled {
  readonly key: string;
  readonly state: 'made' | 'failed' | 'unknown';
  readonly evidence: Json;
  /** Something was added to a completed write. */
  readonly adds?: true;
  readonly at: Date;
  readonly line: AuditEntry;
}

/** A Slack message as the outbox stores it. */
export interface Message {
  readonly teamId: string;
  readonly conversation: string;
  readonly key: string;
  readonly kind: 'card' | 'reply' | 'final' | 'private' | 'update';
  readonly payload: Json;
  readonly now: Date;
}

/** Progress of a run since it last stored something. */
export interface Progress extends RunKey {
  /** This process: nothing is stored for a run that another one has taken over. */
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
    /** The new state of its request; null for a dry run. */
    readonly request: {
      readonly id: string;
      readonly to: RequestState;
      readonly from: readonly RequestState[];
    } | null;
    /** The revision that needs no approval, because there is nothing to write. */
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
  /** Number of this attempt at the write, counting those of earlier processes; null for an addition to a completed one. */
  readonly attempt: number | null;
  readonly at: Date;
  /** The line that must be on disk before the write. */
  readonly line: AuditEntry;
}

/**
 * - `intended`: it is in the log, and this process may make it.
 * - `refused`: the caller's verdict on the facts.
 * - `existing`: another process got here first.
 * - `lost`: the run has ended, or another process has it.
 */
export type IntendResult<R> =
  | { readonly kind: 'intended' | 'lost' }
  | { readonly kind: 'refused'; readonly refusal: R }
  | { readonly kind: 'existing'; readonly write: WriteRecord }
  | { readonly kind: 'over_cap'; readonly cap: WriteCap; readonly count: number };

/** An unfinished run, as last seen. */
export interface OpenRun extends RunKey {
  /** How often it was taken by a process. */
  readonly entered: number;
}

export interface ListedRun extends OpenRun {
  /** The process that holds it; null while none does. */
  readonly holder: string | null;
  /** True when that process is gone. */
  readonly isLeft: boolean;
}

/** A run now held by this process. */
export interface Taken {
  readonly entered: number;
  readonly stored: Checkpoint;
}

/** The stored rows of a run. Every call may be repeated: after an error, and after a restart. */
export interface RunStore {
  load(key: RunKey): Promise<Checkpoint | null>;
  cancelOf(key: RunKey): Promise<Cancel | null>;
  /** Records a write with everything leading up to it, its caps and its audit line in one transaction, unless it is refused. */
  intend<R>(intent: Intent, refusal: (facts: WriteFacts) => R | null): Promise<IntendResult<R>>;
  /** Stores progress and its messages in one transaction. False when another process has the run. */
  commit(commit: Commit): Promise<boolean>;
  /** The oldest write that counts towards a cap. */
  firstWrite(filter: { teamId: string; tool: string; target: string; since: Date }): Promise<{
    at: Date;
    evidence: Json | null;
  } | null>;
}

/** The rows through which processes share runs. */
export interface SharedRuns {
  /** Unfinished runs of all teams, oldest first. */
  openRuns(): Promise<readonly ListedRun[]>;
  /** Takes a run for a process: its previous holder may no longer act in it. Null when its state has changed. */
  take(run: OpenRun, processId: string): Promise<Taken | null>;
}

/** Proves that this process is alive. */
export interface ExecutorLock {
  /** Calls `take` for every run stored from now on by a process without a runner. */
  onOffer(take: (run: RunKey) => void): Promise<void>;
  release(): Promise<void>;
}

/** The holder of a run: a process, counted anew each time it takes the run. */
export interface Executor {
  readonly id: string;
  /** Resolves while this process owns its runs; never settles after it gives them up. */
  readonly ours: () => Promise<void>;
  /** Digests of this process's catalogue and policy for the run's workspace. */
  readonly rules: { readonly catalogue: string; readonly policy: string };
}

/** Everything a run needs. Only `writers` can change anything outside, and only the write path gets them. */
export interface WorkDeps {
  readonly store: RunStore;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly readers: Readers;
  readonly writers: Writers;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Slack address of the card whose thread reports the run, or null. */
  readonly threadLink: (card: NonNullable<Checkpoint['card']>) => Promise<string | null>;
  /** A model's opinion on a criterion in words; shown, never acted upon. Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
  /** The messages for an event, stored together with it. */
  readonly messagesFor: (event: RunEvent) => Promise<readonly Message[]>;
  /** Called in order, once an event and its messages are stored. */
  readonly emit: (event: RunEvent) => Promise<void>;
  /** Called for a run that did not end well, so that the rest can be replanned. May be called twice for one run. */
  readonly onFailure: (failed: FailedRun) => Promise<void>;
  /** Wraps the work on a run without changing it, for example to trace it. */
  readonly around?: <T>(run: RunKey, work: () => Promise<T>) => Promise<T>;
  readonly now: () => Date;
  /** Waits for that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** 0 to 1, for spreading retries. */
  readonly random: () => number;
  readonly log: Log;
}

/** Everything a runner needs. */
export interface RunnerDeps extends Pick<WorkDeps, 'log'> {
  readonly store: SharedRuns;
  /** The parts for runs of a workspace; null if this process does not serve it. */
  readonly workOf: (teamId: string) => WorkDeps | null;
  /** Holds a lock named after this process as long as it lives. */
  readonly holdLock: (executorId: string, onLost: (reason: Error) => void) => Promise<ExecutorLock>;
  /** Called when the lock is lost: others may now run our steps, so the process has to end. */
  readonly onLost: (reason: Error) => void;
  /** Runs `round` now, and then about every second while runs are open; `stop` waits for the current round. */
  readonly whileOpen: (round: () => Promise<void>) => { stop(): Promise<void> };
}
