import { type Finding, finding } from '../../core/finding.ts';
import type { Rule } from '../rule.ts';

/** A plan stays within the operator's caps. */
export const capRule: Rule = ({ plan, policy, scope }) => {
  const findings: Finding[] = [];
  const writes = plan.steps.filter((step) => scope.get(step.id)?.effect === 'write').length;
  if (plan.steps.length > policy.caps.steps) {
    findings.push(
      finding('over_cap', null, 'steps', `${plan.steps.length} steps; the cap is ${policy.caps.steps}`),
    );
  }
  if (writes > policy.caps.writes) {
    findings.push(finding('over_cap', null, 'steps', `${writes} writes; the cap is ${policy.caps.writes}`));
  }
  return findings;
};
