import type { Complaint } from '../config/complaint.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import type { Tracing } from '../ops/tracing.ts';
import type { Cause, Clock } from '../process/clock.ts';
import type { Workspace, WorkspaceOptions } from './build-workspace.ts';
import type { Ops } from './ops.ts';
import type { Base, Ground } from './process-context.ts';
import type { Voices } from './reply-cache.ts';
import type { Reporting } from './reporting.ts';

export interface AppOptions extends WorkspaceOptions {
  /** Settings of each workspace named in the operator's file, by its id. */
  readonly workspaces: OperatorFile['workspaces'];
  /** Warns the operator of probable mistakes in their file. */
  readonly inDoubt: (complaint: Complaint) => void;
  /** Called when this process must stop: others may run its steps. */
  readonly onLost: (reason: Error) => void;
  /** Closed with the process. */
  readonly tracing: Tracing;
}

/** Repeats a round, with a pause of that many milliseconds, until its owner stops. */
export type Repeat = (ms: number, round: () => Promise<void>) => void;

/** The parts of every process, whatever its role. */
export interface ProcessParts {
  readonly options: AppOptions;
  readonly ops: Ops;
  readonly base: Base;
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Stopped in reverse order. */
  readonly stack: AsyncDisposableStack;
}

/** The parts for each served workspace. The options are those of the workspace. */
export interface TeamParts extends Pick<ProcessParts, 'options' | 'ops' | 'repeat' | 'stack'> {
  /** Runs a round at once, and whenever there is a cause for it in this workspace, until its owner stops. */
  readonly whenDue: (cause: Cause, round: () => Promise<void>) => void;
  /** Identity of this process. */
  readonly executor: string;
  readonly ground: Ground;
  readonly workspace: Workspace;
  readonly reporting: Reporting;
  readonly voices: Voices;
}
