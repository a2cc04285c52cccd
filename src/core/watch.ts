import type { Alarm } from './alarm.ts';
import type { Cadence, Worse } from './cadence.ts';
import { ancestors, graphOf } from './graph.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { PlannerReply } from './planning.ts';

/** A plan that is looked at again and again. One of the operator's file differs in its owner alone. */
export interface Watch {
  readonly id: string;
  /** Slack user id, or `schedule:<name>`. */
  readonly owner: string;
  readonly goal: string;
  /** Null for one of the file before its goal was planned. */
  readonly plan: Plan | null;
  /** Who made the plan. */
  readonly planner: PlannerReply['planner'];
  readonly every: Cadence;
  readonly until: Date | null;
  readonly worse: Worse;
  readonly channel: string;
  readonly nextAt: Date;
  readonly endedAt: Date | null;
  readonly lookedAt: Date | null;
  /** The tick whose look is stored. */
  readonly lookKey: string | null;
  /** The tick that asked for something, and may have to ask again. */
  readonly askedKey: string | null;
  /** What the last look found, in words. */
  readonly found: string | null;
  readonly alarm: Alarm;
  /** The request that was made of its problem last, while there is one. */
  readonly problem: string | null;
}

/** What the operator allows. */
export interface WatchLimits {
  readonly perPerson: number;
  readonly inAll: number;
  /** Shortest time between two looks, in minutes. */
  readonly minutes: number;
  /** Days that a watch lives when none are specified. */
  readonly days: number;
  readonly maxDays: number;
  readonly worse: Worse;
  /** Failed looks in a row after which people are told. */
  readonly failures: number;
}

/** Name of a schedule of the operator's file; null for a person's watch. */
export function scheduleName(owner: string): string | null {
  return /^schedule:(.*)$/s.exec(owner)?.[1] ?? null;
}

/**
 * True when a plan says by itself whether there is something to speak of: none of its writes comes without a condition,
 * or it writes nothing and has a criterion. Any other plan does or tells what it says at each of its times.
 */
export function isConditional({ steps, success }: Plan, manifests: ReadonlyMap<string, Manifest>): boolean {
  const writes = steps.filter(({ tool }) => manifests.get(tool)?.effect !== 'read');
  if (writes.length === 0) return success.some((one) => !one.startsWith('words:'));
  const nodes = graphOf(steps);
  const bound = new Set(steps.filter(({ when }) => when !== undefined).map(({ id }) => id));
  return writes.every(({ id }) => bound.has(id) || [...ancestors(nodes, id)].some((one) => bound.has(one)));
}
