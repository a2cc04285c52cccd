import type { Finding } from '../core/finding.ts';
import { dependenciesOf } from '../core/graph.ts';
import type { Plan } from '../core/plan.ts';
import { withDeclaredChecks } from './fill-checks.ts';
import { type Against, type Rule, subjectOf } from './rule.ts';
import { argumentRule } from './rules/arguments.ts';
import { capRule } from './rules/caps.ts';
import { codeRule } from './rules/code.ts';
import { conditionRule } from './rules/conditions.ts';
import { flowRule } from './rules/flows.ts';
import { forEachRule } from './rules/for-each.ts';
import { graphRule } from './rules/graph.ts';
import { queryRule } from './rules/queries.ts';
import { referenceRule } from './rules/references.ts';
import { repeatedWriteRule } from './rules/repeated-writes.ts';
import { parseDraft } from './rules/schema.ts';
import { skipRule } from './rules/skips.ts';
import { targetRule } from './rules/targets.ts';
import { toolRule } from './rules/tools.ts';
import { verifyRule } from './rules/verify.ts';

const rules: readonly Rule[] = [
  toolRule,
  codeRule,
  graphRule,
  argumentRule,
  queryRule,
  referenceRule,
  targetRule,
  conditionRule,
  forEachRule,
  skipRule,
  flowRule,
  repeatedWriteRule,
  capRule,
  verifyRule,
];

/**
 * Checks a draft against every rule and reports all findings together. `plan` is the parsed plan with the dependencies
 * implied by references written out and the checks that its writes declare; it is null if there is any finding.
 */
export function reviewDraft(draft: unknown, against: Against): { plan: Plan | null; findings: Finding[] } {
  const parsed = parseDraft(draft);
  if (!parsed.plan) return { plan: null, findings: parsed.findings };
  const plan = withDeclaredChecks(parsed.plan, against.catalogue);
  const subject = subjectOf(plan, against);
  const findings = rules.flatMap((rule) => rule(subject));
  if (findings.length > 0) return { plan: null, findings };
  const steps = plan.steps.map((step) => ({ ...step, needs: dependenciesOf(step) }));
  return { plan: { ...plan, steps }, findings: [] };
}
