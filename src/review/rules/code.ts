import { codeTool } from '../../core/code.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Step } from '../../core/plan.ts';
import { codeProblems } from '../../notation/code-source.ts';
import type { Rule, Subject } from '../rule.ts';

/** Code runs only where the operator allows it, and only if its text is a pure function of its inputs. */
export const codeRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) => {
    if (step.code === undefined)
      return step.tool === codeTool ? [finding('code_missing', step.id, 'code', 'has no source')] : [];
    if (step.tool !== codeTool)
      return [finding('code_misplaced', step.id, 'code', `only a step of the tool ${codeTool} has a source`)];
    const why = notAllowed(step.code.source, subject);
    return why === null
      ? sourceFindings(step, step.code.source)
      : [finding('code_not_allowed', step.id, 'tool', why)];
  });

/**
 * A model's code needs no rule of its own: its answers have no place for a source unless the policy is `model`, and what
 * it changes keeps the sources that it had.
 */
function notAllowed(source: string, { policy, catalogue }: Subject): string | null {
  if (policy.code === 'off') return 'code steps are switched off here (code: off in countersign.yml)';
  if (policy.code !== 'playbooks' || catalogue.vettedCode?.has(source)) return null;
  return 'only the code of installed playbooks may run here, as it is (code: playbooks in countersign.yml); this is other code';
}

function sourceFindings(step: Step, source: string): Finding[] {
  return codeProblems(source, Object.keys(step.args)).map(({ line, message }) =>
    finding('code_refused', step.id, 'code.source', `line ${line}: ${message.replace(/\.$/, '')}`),
  );
}
