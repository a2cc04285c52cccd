import { codeTool } from '../../core/code.ts';
import { finding } from '../../core/finding.ts';
import type { Rule } from '../rule.ts';

/** A plan may only name tools of the catalogue that are not switched off; effects come from there, never from the plan. */
export const toolRule: Rule = ({ plan, catalogue }) =>
  plan.steps.flatMap((step) => {
    const off = catalogue.off?.get(step.tool);
    if (off !== undefined) return [finding('tool_off', step.id, 'tool', off)];
    if (catalogue.manifests.has(step.tool) || step.tool === codeTool) return [];
    const lacks = catalogue.unconfigured.get(step.tool);
    if (lacks !== undefined) {
      return [finding('tool_not_configured', step.id, 'tool', `${step.tool} needs ${lacks}`)];
    }
    const known = [...catalogue.manifests.keys()].join(', ');
    return [finding('unknown_tool', step.id, 'tool', `there is no tool "${step.tool}"; there are ${known}`)];
  });
