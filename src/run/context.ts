import type { Catalogue } from '../core/catalogue.ts';
import type { JsonObject } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Readers, Writers } from '../core/ports.ts';
import type { Revision, Sealed } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import type { Checkpoint } from '../store/load-run.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import type { RunKey } from '../store/runs.ts';
import type { Db } from '../store/tables.ts';
import type { CodePool } from './code/pool.ts';

/** The holder of a run: a process, counted anew each time it takes the run. */
export interface Executor {
  readonly id: string;
  /** Resolves while this process owns its runs; never settles after it gives them up. */
  readonly owned: () => Promise<void>;
}

/** Everything a run needs. Only `writers` can change anything outside, and only the write path gets them. */
export interface WorkDeps {
  readonly db: Db;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly readers: Readers;
  readonly writers: Writers;
  /** Where the source of code steps runs. */
  readonly code: CodePool;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Steps of one run under way at once; any number if absent. */
  readonly stepsAtOnce?: number;
  /** Parts of the settings that a plan uses and that have changed since it was sealed, in words. */
  readonly changedSince: (sealed: Sealed) => readonly string[];
  /** Slack address of the card whose thread reports the run, or null. */
  readonly threadLink: (card: NonNullable<Checkpoint['card']>) => Promise<string | null>;
  /** A model's opinion on a criterion in words; shown, never acted upon. Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
  /** The messages for an event, stored together with it. `revision`: its plan, unless it cannot be read. */
  readonly messagesFor: (event: RunEvent, revision: Revision | null) => Promise<readonly OutboxMessage[]>;
  /** Takes stored messages to be sent by this process, behind the commit that stores them. */
  readonly claim?: ((connection: Db) => Promise<void>) | undefined;
  /** Called in order, once an event and its messages are stored. */
  readonly emit: (event: RunEvent) => Promise<void>;
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
export interface RunnerDeps extends Pick<WorkDeps, 'db' | 'log'> {
  /** For a connection of its own, on which it holds the lock named after this process. */
  readonly databaseUrl: string;
  /** The parts for runs of a workspace; null if this process does not serve it. */
  readonly workOf: (teamId: string) => WorkDeps | null;
  /** Called when the lock is lost: others may now run our steps, so the process has to end. */
  readonly onLost: (reason: Error) => void;
  /** Runs `round` now, and then about every second while runs are open; `stop` waits for the current round. */
  readonly whileOpen: (round: () => Promise<void>) => { stop(): Promise<void> };
}
