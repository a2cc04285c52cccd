import type { Tracing } from '../ops/tracing.ts';
import type { Ground } from './ground.ts';
import type { Ops } from './ops.ts';
import type { Reporting } from './reporting.ts';
import type { Voices } from './voices.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

export interface AppOptions extends WorkspaceOptions {
  /** This process may not go on: others may run its steps. */
  readonly onLost: (reason: Error) => void;
  /** Closed with the process. */
  readonly tracing: Tracing;
}

/** Does something again and again, with a pause of so many milliseconds, until the process stops. */
export type Repeat = (ms: number, round: () => Promise<void>) => void;

/** What every process has, whatever its role. */
export interface ProcessParts {
  readonly options: AppOptions;
  readonly ops: Ops;
  readonly ground: Ground;
  readonly workspace: Workspace;
  readonly reporting: Reporting;
  readonly voices: Voices;
  readonly repeat: Repeat;
  /** What is deferred last is stopped first. */
  readonly stack: AsyncDisposableStack;
}
