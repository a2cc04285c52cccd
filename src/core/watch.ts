import type { Cadence, Worse } from './cadence.ts';
import { effectOf } from './code-step.ts';
import { ancestors, graphOf } from './graph.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { PlannerReply } from './planning.ts';

/** State that a watch keeps between checks. */
export interface Alarm {
  /** When the condition began to hold (ISO 8601) and the last value reported; null while it does not hold. */
  readonly on: { readonly since: string; readonly said: number | null } | null;
  /** Consecutive checks without a clear answer. */
  readonly failures: number;
}

/** A plan that is checked repeatedly. One from the operator's file differs only in its owner. */
export interface Watch {
  readonly id: string;
  /** Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  readonly goal: string;
  /** Null for one from the file until its goal is planned. */
  readonly plan: Plan | null;
  /** The planner that made the plan. */
  readonly planner: PlannerReply['planner'];
  readonly every: Cadence;
  readonly until: Date | null;
  readonly worse: Worse;
  readonly channel: string;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
  readonly lookedAt: Date | null;
  /** The tick whose check is stored. */
  readonly lookKey: string | null;
  /** The tick that requested a plan and may have to request it again. */
  readonly askedKey: string | null;
  /** The finding of the last check, in words. */
  readonly found: string | null;
  readonly alarm: Alarm;
  /** The last request made for its problem, while it exists. */
  readonly problem: string | null;
}

/** Concurrent checks of a process that read the same systems. */
export const maxAlikeChecks = 8;
/** Checks of a process in a minute, where all read one system that takes a second. */
export const checksPerMinute = maxAlikeChecks * 60;

/** Limits set by the operator. */
export interface WatchLimits {
  readonly perPerson: number;
  readonly inAll: number;
  /** Shortest interval between checks, in minutes. */
  readonly minutes: number;
  /** Lifetime in days when none is given. */
  readonly days: number;
  readonly maxDays: number;
  readonly worse: Worse;
  /** Consecutive failed checks before people are notified. */
  readonly failures: number;
}

/** Name of a schedule from the operator's file; null for a person's watch. */
export function scheduleName(owner: string): string | null {
  return /^schedule:(.*)$/s.exec(owner)?.[1] ?? null;
}

/**
 * True when the plan itself decides whether there is anything to report: all its writes have conditions or
 * are for the entries of a list, or it writes nothing and has a criterion. Any other plan acts or reports at every tick.
 */
export function isConditional({ steps, success }: Plan, manifests: ReadonlyMap<string, Manifest>): boolean {
  const writes = steps.filter(({ tool }) => effectOf(tool, manifests) !== 'read');
  if (writes.length === 0) return success.some((one) => !one.startsWith('words:'));
  const nodes = graphOf(steps);
  const bound = new Set(steps.filter(({ when, each }) => when ?? each).map(({ id }) => id));
  return writes.every(({ id }) => bound.has(id) || [...ancestors(nodes, id)].some((one) => bound.has(one)));
}
