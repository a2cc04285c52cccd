import type { Complaint } from '../config/problem.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import type { Tracing } from '../ops/tracing.ts';
import type { Cause, Clock } from './clock.ts';
import type { Base, Ground } from './ground.ts';
import type { Ops } from './ops.ts';
import type { Reporting } from './reporting.ts';
import type { Voices } from './voices.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export interface AppOptions extends WorkspaceOptions {
  /** The settings of each workspace that the operator's file names, by its id. */
  readonly workspaces: OperatorFile['workspaces'];
  /** Tells the operator of what looks like a mistake in their file. */
  readonly inDoubt: (complaint: Complaint) => void;
  /** This process may not go on: others may run its steps. */
  readonly onLost: (reason: Error) => void;
  /** Closed with the process. */
  readonly tracing: Tracing;
}

/** Does something again and again, with a pause of so many milliseconds, until its owner stops. */
export type Repeat = (ms: number, round: () => Promise<void>) => void;

/** What every process has, whatever its role. */
export interface ProcessParts {
  readonly options: AppOptions;
  readonly ops: Ops;
  readonly base: Base;
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** What is deferred last is stopped first. */
  readonly stack: AsyncDisposableStack;
}

/** What it has of each workspace that it serves. The options are those of the workspace. */
export interface TeamParts extends Pick<ProcessParts, 'options' | 'ops' | 'repeat' | 'stack'> {
  /** Does something at once, and whenever there is a cause for it in this workspace, until its owner stops. */
  readonly whenDue: (cause: Cause, round: () => Promise<void>) => void;
  /** Identity of this process. */
  readonly executor: string;
  readonly ground: Ground;
  readonly workspace: Workspace;
  readonly reporting: Reporting;
  readonly voices: Voices;
}
