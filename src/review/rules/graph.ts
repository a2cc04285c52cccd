import { type Finding, finding } from '../../core/finding.ts';
import { findCycle, waves } from '../../core/graph.ts';
import { planLimits } from '../../core/plan.ts';
import type { Rule } from '../rule.ts';

/** Steps have unique ids, need only steps that exist, and form no cycle. */
export const graphRule: Rule = ({ plan, graph }) => {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  for (const step of plan.steps) {
    if (ids.has(step.id)) findings.push(finding('duplicate_id', step.id, 'id', 'is used by two steps'));
    ids.add(step.id);
  }
  for (const step of plan.steps) {
    for (const need of step.needs) {
      if (!ids.has(need))
        findings.push(finding('unknown_need', step.id, 'needs', `there is no step "${need}"`));
    }
  }
  const cycle = findCycle(graph);
  if (cycle)
    findings.push(finding('cycle', cycle[0] ?? null, 'needs', `${cycle.join(' → ')} wait for each other`));
  const depth = waves(graph).waves.length;
  if (depth > planLimits.depth) {
    findings.push(finding('too_deep', null, 'steps', `${depth} steps in a row; at most ${planLimits.depth}`));
  }
  return findings;
};
