import { graphOf, waves } from '../core/graph.ts';
import type { Plan } from '../core/plan.ts';
import type { Estimate } from '../core/revision.ts';
import type { ToolHistory } from '../store/steps.ts';

type ToolTimes = Pick<ToolHistory, 'p50Ms' | 'p95Ms'>;

/** Weight of the longest path through the graph, or null when a weight is unknown. */
function criticalPath(plan: Plan, weigh: (tool: string) => number | null): number | null {
  const nodes = graphOf(plan.steps);
  const tools = new Map(plan.steps.map((step) => [step.id, step.tool]));
  const needs = new Map(nodes.map((node) => [node.id, node.needs]));
  const ends = new Map<string, number>();
  for (const id of waves(nodes).waves.flat()) {
    const weight = weigh(tools.get(id) ?? '');
    if (weight === null) return null;
    const start = Math.max(0, ...(needs.get(id) ?? []).map((need) => ends.get(need) ?? 0));
    ends.set(id, start + weight);
  }
  return Math.max(0, ...ends.values());
}

/** Estimated duration along the critical path, from each tool's history, and the cost of planning so far. */
export function estimate(plan: Plan, times: ReadonlyMap<string, ToolTimes>, planningUsd: number): Estimate {
  return {
    p50Ms: criticalPath(plan, (tool) => times.get(tool)?.p50Ms ?? null),
    p95Ms: criticalPath(plan, (tool) => times.get(tool)?.p95Ms ?? null),
    usd: planningUsd,
  };
}
