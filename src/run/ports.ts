import type { Catalogue } from '../core/catalogue.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers, Writers } from '../core/ports.ts';
import type { FailedRun, RunEvent, RunMode, RunOutcome, StepResult } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';

export interface RunKey {
  readonly teamId: string;
  readonly runId: string;
}

export interface RunRecord {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  readonly state: 'running' | 'finished';
  readonly startedAt: Date;
}

export interface Grant {
  readonly digest: string;
  /** Slack user id. */
  readonly approver: string;
  readonly createdAt: Date;
}

export type GrantCheck =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly why: string };

export interface WriteRecord {
  readonly state: 'intended' | 'made' | 'failed' | 'unknown';
  readonly evidence: Json | null;
}

/** At most `max` writes with the tool to `target` since a moment, the new one included. */
export interface WriteCap {
  readonly since: Date;
  readonly max: number;
  readonly target: string;
}

export interface WriteIntent extends RunKey {
  readonly stepId: string;
  readonly tool: string;
  readonly key: string;
  /** `service:ops`, `channel:#ops`. */
  readonly targets: readonly string[];
  readonly at: Date;
}

export type IntendResult =
  | { readonly kind: 'new' }
  | { readonly kind: 'existing' }
  | { readonly kind: 'over_cap'; readonly cap: WriteCap; readonly count: number };

export interface AuditEntry {
  readonly teamId: string;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly subject: string;
  readonly data: Json;
}

/** The rows a run lives on. Every call may be repeated: after an error, and after a restart. */
export interface RunStore {
  run(key: RunKey): Promise<RunRecord | null>;
  revision(
    teamId: string,
    requestId: string,
    number: number,
  ): Promise<{ bytes: string; digest: string } | null>;
  /** Checks the permission to write, of this run for this digest, and marks it as used. */
  consumeGrant(use: RunKey & { digest: string; now: Date }): Promise<GrantCheck>;
  cancelOf(key: RunKey): Promise<{ by: string; reason: string } | null>;
  /** Who stopped all writes of the team, or null while they are allowed. */
  killSwitch(teamId: string): Promise<{ actor: string; reason: string } | null>;
  /** Notes that a step begins; its result when it had ended before, else null. */
  stepStarted(step: RunKey & { stepId: string; tool: string; at: Date }): Promise<StepResult | null>;
  stepFinished(result: RunKey & StepResult): Promise<void>;
  finish(end: RunKey & { outcome: RunOutcome; at: Date }): Promise<void>;
  writeOf(key: string): Promise<WriteRecord | null>;
  /** Notes a write before it is made; caps are counted in the same transaction. */
  intend(intent: WriteIntent, caps: readonly WriteCap[]): Promise<IntendResult>;
  settle(settled: {
    key: string;
    state: 'made' | 'failed' | 'unknown';
    evidence: Json | null;
    at: Date;
  }): Promise<void>;
  /** The oldest write that counts against a cap. */
  firstWrite(filter: { teamId: string; tool: string; target: string; since: Date }): Promise<{
    at: Date;
    evidence: Json | null;
  } | null>;
  /** Resolves when the line is on disk. */
  audit(entry: AuditEntry): Promise<void>;
  /** Runs of all teams that have not ended. */
  openRuns(): Promise<readonly { teamId: string; id: string; startedAt: Date }[]>;
}

/** Proof that this process lives, and the way to take over the work of one that does not. */
export interface ExecutorLock {
  tryTakeOver(executorId: string): Promise<boolean>;
  letGo(executorId: string): Promise<void>;
  release(): Promise<void>;
}

/** Everything a runner is given. Only `writers` can change anything outside, and only the write path has them. */
export interface RunnerDeps {
  /** Postgres for the state of runs; may be the database of the tables, it uses a schema of its own. */
  readonly databaseUrl: string;
  /** True when the engine's tables were brought up to date by the role that owns them. */
  readonly engineIsMigrated?: boolean;
  readonly store: RunStore;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly readers: Readers;
  readonly writers: Writers;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Holds a lock named after this process for as long as it lives. */
  readonly holdLock: (executorId: string, onLost: (reason: Error) => void) => Promise<ExecutorLock>;
  /** Called when the lock is lost: others may run our steps from now on, so the process has to end. */
  readonly onLost: (reason: Error) => void;
  /** Address of the request's thread in Slack, or null. */
  readonly threadLink: (teamId: string, requestId: string) => Promise<string | null>;
  /** What a model thinks of a criterion in words; shown as an opinion, never acted upon. Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
  readonly emit: (event: RunEvent) => Promise<void>;
  /** A run that did not end well, so that what is left can be planned anew. May be called twice for one run. */
  readonly onFailure: (failed: FailedRun) => Promise<void>;
  readonly now: () => Date;
  /** Does something again and again with a pause of so many milliseconds; `stop` waits for the round under way. */
  readonly every: (ms: number, round: () => Promise<void>) => { stop(): Promise<void> };
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** 0 to 1, for the spread of retries. */
  readonly random: () => number;
  readonly log: Log;
}
