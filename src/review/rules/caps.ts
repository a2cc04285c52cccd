import { type Finding, finding } from '../../core/finding.ts';
import type { Rule } from '../rule.ts';

/** A plan stays within the operator's caps. */
export const capRule: Rule = ({ plan, policy: { caps }, scope }) => {
  const writes = plan.steps.filter((step) => scope.get(step.id)?.effect === 'write').length;
  return [...beyond(plan.steps.length, 'steps', caps), ...beyond(writes, 'writes', caps)];
};

function beyond(
  count: number,
  what: 'steps' | 'writes',
  caps: Readonly<Record<'steps' | 'writes', number>>,
): Finding[] {
  if (count <= caps[what]) return [];
  const words = `${count} ${what}, and one plan may have ${caps[what]} (caps.${what} in countersign.yml); narrow it down, or ask for it in parts`;
  return [finding('over_cap', null, 'steps', words)];
}
