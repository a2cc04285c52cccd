import type { JsonObject } from './json.ts';
import type { Plan } from './plan.ts';

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
  /** What people should know beside the outcome: "found after a restart". */
  readonly notes?: readonly string[];
  readonly attempts: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/**
 * How a run ended. `done`: every step succeeded or was skipped by its own condition, and the criteria hold.
 * `partly`: reads or writes are missing. `unknown`: at least one write is in doubt.
 */
export type RunOutcome = 'done' | 'partly' | 'failed' | 'unknown' | 'cancelled';

/**
 * `run`: writes are made. `read`: the reads that a plan begins with, before anybody is asked for a yes; writes are only
 * described. `dry_run`: the same, because a person asked for it.
 */
export type RunMode = 'run' | 'read' | 'dry_run';

/** A success criterion after the run. `holds` is null when nothing can be said: a step was skipped, or it is in words. */
export interface CriterionResult {
  /** Step it belongs to, or null for the plan as a whole. */
  readonly step: string | null;
  readonly source: string;
  readonly holds: boolean | null;
  /** Why nothing can be said, else null. */
  readonly why: string | null;
}

interface RunEventBase {
  readonly teamId: string;
  readonly requestId: string;
  /** Number of the revision. */
  readonly number: number;
  readonly runId: string;
  readonly mode: RunMode;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Who said yes (Slack user ids), and how: by clicks, by a standing approval, or alone by breaking glass. */
export interface Approval {
  readonly by: readonly string[];
  readonly how: 'clicked' | 'standing' | 'glass';
}

/** What a run tells while it goes on. Delivered at least once: after a restart the last ones may come again. */
export type RunEvent =
  | (RunEventBase & { readonly type: 'started' })
  | (RunEventBase & { readonly type: 'step_started'; readonly stepId: string })
  | (RunEventBase & {
      readonly type: 'step_finished';
      readonly stepId: string;
      readonly result: StepResult;
      /** In a dry run, what a write would do. */
      readonly preview?: string;
    })
  | (RunEventBase & {
      readonly type: 'finished';
      readonly outcome: RunOutcome;
      /** In the order of the plan. */
      readonly results: readonly StepResult[];
      readonly criteria: readonly CriterionResult[];
      /** The yes, and when it was given (ISO 8601 UTC); null for a dry run. */
      readonly approval: (Approval & { readonly at: string }) | null;
      /** Why it ended before any step could start, else absent. */
      readonly reason?: { readonly code: string; readonly message: string };
    });

/** Name of the switch that stops every write while it is on. */
export const killSwitchName = 'kill';

/** What is known of a run that did not end well, so that the rest can be planned anew. */
export interface FailedRun extends RunEventBase {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly results: readonly StepResult[];
}

/** The outcome that a set of step results adds up to. */
export function outcomeOf(results: readonly StepResult[], cancelled: boolean): RunOutcome {
  if (results.some((r) => r.status === 'unknown')) return 'unknown';
  if (cancelled) return 'cancelled';
  const failed = results.filter((r) => r.status === 'failed').length;
  if (failed === 0) return 'done';
  return results.some((r) => r.status === 'succeeded') ? 'partly' : 'failed';
}
