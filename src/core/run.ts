import type { JsonObject } from './json.ts';
import type { Plan } from './plan.ts';
import type { CheckOutcome } from './verify.ts';

/** How a step ended. `unknown`: a write that may or may not have happened. */
export type StepStatus = 'succeeded' | 'failed' | 'skipped' | 'unknown';

export interface StepResult {
  readonly stepId: string;
  readonly tool: string;
  readonly status: StepStatus;
  /** The parsed result of a successful step. */
  readonly result: JsonObject | null;
  /** Why it did not succeed, in words a person can act on. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** Remarks in addition to the outcome: "found after a restart". */
  readonly notes?: readonly string[];
  readonly attempts: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/**
 * The code of a write that its vendor took and that a look afterwards does not show. A second one changes nothing that
 * is there, so the same step may be proposed again.
 */
export const notInEffect = 'not_in_effect';

/** True for a write that is not left out of a new card, although it is in doubt. */
export function isCorrectable({ status, reason }: Pick<StepResult, 'status' | 'reason'>): boolean {
  return status === 'unknown' && reason?.code === notInEffect;
}

/**
 * How a run ended. `done`: every step succeeded or was skipped by its own condition, and the criteria hold.
 * `partly`: reads or writes are missing. `unknown`: at least one write is in doubt.
 */
export type RunOutcome = 'done' | 'partly' | 'failed' | 'unknown' | 'cancelled';

/**
 * `run`: writes are made. `read`: the plan's reads before anyone is asked to approve it; writes are only described.
 * `dry_run`: the same, at a person's request.
 */
export type RunMode = 'run' | 'read' | 'dry_run';

/** The id of the single run of an approved revision. */
export function runIdOf(requestId: string, number: number): string {
  return `run-${requestId}-${number}`;
}

/** The id of the single run of a revision's reads. */
export function readsIdOf(requestId: string, number: number): string {
  return `read-${requestId}-${number}`;
}

/** A success criterion after the run. `holds` is null when it cannot be decided: a step was skipped, or it is in words. */
export interface CriterionResult {
  /** Step it belongs to, or null for the plan as a whole. */
  readonly step: string | null;
  readonly source: string;
  readonly holds: boolean | null;
  /** Why it cannot be decided, else null. */
  readonly why: string | null;
}

/** A check that the end of a run leaves open. Times are ISO 8601 UTC. */
export interface CheckDue {
  readonly stepId: string;
  readonly lookAt: string;
  readonly until: string;
}

/** The end of a check: whether the write helped, and what was found, without a full stop. */
export interface Checked {
  readonly outcome: CheckOutcome;
  readonly words: string;
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

/** Who approved (Slack user ids), and how: by clicks, by a standing approval, or alone by breaking glass. */
export interface Approval {
  readonly by: readonly string[];
  readonly how: 'clicked' | 'standing' | 'glass';
}

/** Events of a run. Delivered at least once: after a restart the last ones may repeat. */
export type RunEvent =
  | (RunEventBase & { readonly type: 'started' })
  | (RunEventBase & { readonly type: 'step_started'; readonly stepId: string })
  /** A page that has not been confirmed for a while; it may still be. */
  | (RunEventBase & { readonly type: 'unconfirmed'; readonly stepId: string })
  | (RunEventBase & {
      readonly type: 'step_finished';
      readonly stepId: string;
      readonly result: StepResult;
      /** In a dry run, the write's preview. */
      readonly preview?: string;
    })
  | (RunEventBase & {
      readonly type: 'finished';
      readonly outcome: RunOutcome;
      /** In the order of the plan. */
      readonly results: readonly StepResult[];
      readonly criteria: readonly CriterionResult[];
      /** The approval and its time (ISO 8601 UTC); null for a dry run. */
      readonly approval: (Approval & { readonly at: string }) | null;
      /** Why it ended before any step could start; absent otherwise. */
      readonly reason?: { readonly code: string; readonly message: string };
      /** Writes that are looked up from now on. */
      readonly checks: readonly CheckDue[];
    })
  /** After the end: whether one of its writes helped. */
  | (RunEventBase & {
      readonly type: 'checked';
      readonly stepId: string;
      readonly result: StepResult;
      readonly checked: Checked;
    });

/** Name of the switch that stops every write while it is on. */
export const killSwitchName = 'kill';

/** The facts of a run that did not end well, so that the rest can be replanned. */
export interface FailedRun extends RunEventBase {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly results: readonly StepResult[];
}

/** The overall outcome of a set of step results. */
export function outcomeOf(results: readonly StepResult[], cancelled: boolean): RunOutcome {
  if (results.some((r) => r.status === 'unknown')) return 'unknown';
  if (cancelled) return 'cancelled';
  const failed = results.filter((r) => r.status === 'failed').length;
  if (failed === 0) return 'done';
  return results.some((r) => r.status === 'succeeded') ? 'partly' : 'failed';
}
