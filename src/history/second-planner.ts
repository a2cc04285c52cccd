import type { PlannedRequest } from '../core/planned-request.ts';
import { planDifferences } from '../core/slot-change.ts';
import type { ShadowPlan } from '../store/shadow-plans.ts';

/** A second planner beside the one whose plans were shown. */
export interface Comparison {
  /** Names of the planners: that of its model, or `everyday`. */
  readonly shown: string;
  readonly planner: string;
  /** Requests that both answered. */
  readonly compared: number;
  /** Requests for which both had a plan. */
  readonly planned: number;
  /** Of those: the same steps, and the same steps with the same arguments. */
  readonly sameSteps: number;
  readonly same: number;
  /** Requests that only one had a plan for; the other asked or refused. */
  readonly onlyShown: number;
  readonly onlySecond: number;
  /** Plans that were approved or accepted, by how many changes each was away from them. */
  readonly taken: number;
  readonly nearer: number;
  readonly further: number;
  /** Where plans differ, most frequent first. */
  readonly differences: readonly { readonly what: string; readonly times: number }[];
}

/** One for each pair of planners: with a share of people, each of two is shown to some. */
export function comparisons(
  shadows: readonly ShadowPlan[],
  asked: ReadonlyMap<string, PlannedRequest>,
  count: (all: readonly string[]) => Comparison['differences'],
): Comparison[] {
  const pairs = Map.groupBy(shadows, ({ shown, planner }) => JSON.stringify([shown, planner]));
  return [...pairs.values()].map((same) => comparison(same, asked, count));
}

function comparison(
  shadows: readonly ShadowPlan[],
  asked: ReadonlyMap<string, PlannedRequest>,
  count: (all: readonly string[]) => Comparison['differences'],
): Comparison {
  const both = shadows.flatMap(({ requestId, plan }) => {
    const shown = asked.get(requestId);
    return plan === null || shown === undefined ? [] : [{ plan, shown }];
  });
  const differing = both.map(({ plan, shown }) => planDifferences(shown.first, plan));
  const taken = both.filter(({ shown }) => shown.wasTaken);
  const lead = taken.map(({ plan, shown }) => shown.edits.length - planDifferences(plan, shown.last).length);
  const [{ shown = '', planner = '' } = {}] = shadows;
  return {
    ...{ shown, planner, compared: shadows.filter(({ kind }) => kind !== 'failed').length },
    planned: both.length,
    sameSteps: differing.filter((changes) => changes.every(({ slot }) => slot !== 'step')).length,
    same: differing.filter((changes) => changes.length === 0).length,
    onlyShown: shadows.filter((one) => one.shownKind === 'plan' && one.kind !== 'plan').length,
    onlySecond: shadows.filter((one) => one.shownKind !== 'plan' && one.kind === 'plan').length,
    taken: taken.length,
    nearer: lead.filter((by) => by > 0).length,
    further: lead.filter((by) => by < 0).length,
    differences: count(differing.flat().map(({ tool, slot }) => `${slot} of ${tool}`)),
  };
}
