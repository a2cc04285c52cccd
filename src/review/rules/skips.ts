import { stepsReadBy } from '../../core/condition.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { ancestors } from '../../core/graph.ts';
import { refsOf, splitRef } from '../../core/refs.ts';
import type { Rule } from '../rule.ts';

/** A step that runs after a skip cannot use what the skipped step would have returned. */
export const skipRule: Rule = ({ plan, scope, graph }) => {
  const findings: Finding[] = [];
  const conditional = new Set(plan.steps.filter((step) => step.when !== undefined).map((step) => step.id));
  const maySkip = (id: string): boolean =>
    conditional.has(id) || [...ancestors(graph, id)].some((before) => conditional.has(before));
  for (const step of plan.steps) {
    if (step.onSkip !== 'run') continue;
    const used = [
      ...refsOf(step).map(({ ref }) => splitRef(ref).step),
      ...(step.when === undefined ? [] : stepsReadBy(step.when, scope)),
    ];
    for (const id of new Set(used)) {
      if (maySkip(id))
        findings.push(finding('uses_skipped', step.id, 'onSkip', `uses ${id}, which may be skipped`));
    }
  }
  return findings;
};
