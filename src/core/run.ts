import type { JsonObject } from './json.ts';

/** How a step ended. `unknown`: a write that may or may not have happened. */
export type StepStatus = 'succeeded' | 'failed' | 'skipped' | 'unknown';

export interface StepResult {
  readonly stepId: string;
  readonly tool: string;
  readonly status: StepStatus;
  /** The parsed result of a step that succeeded. */
  readonly result: JsonObject | null;
  /** Why it did not succeed, in words a person can act on. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly attempts: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/**
 * How a run ended. `done`: every step succeeded or was skipped by its own condition, and the criteria hold.
 * `partly`: reads or writes are missing. `unknown`: at least one write is in doubt.
 */
export type RunOutcome = 'done' | 'partly' | 'failed' | 'unknown' | 'cancelled';

/** `run`: writes are made. `dry_run`: reads are made and writes only described. */
export type RunMode = 'run' | 'dry_run';

/** The outcome that a set of step results adds up to. */
export function outcomeOf(results: readonly StepResult[], cancelled: boolean): RunOutcome {
  if (results.some((r) => r.status === 'unknown')) return 'unknown';
  if (cancelled) return 'cancelled';
  const failed = results.filter((r) => r.status === 'failed').length;
  if (failed === 0) return 'done';
  return results.some((r) => r.status === 'succeeded') ? 'partly' : 'failed';
}
