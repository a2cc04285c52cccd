import { ConditionError, compileCondition, type Scope, sentenceOf } from '../../core/condition.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { ancestors } from '../../core/graph.ts';
import type { Rule } from '../rule.ts';

function check(
  source: string,
  scope: Scope,
  may: ReadonlySet<string>,
  step: string | null,
  field: string,
): Finding[] {
  if (sentenceOf(source) !== null) {
    return field.endsWith('when')
      ? [finding('condition_words', step, field, 'a condition must be CEL, not words')]
      : [];
  }
  try {
    const late = compileCondition(source, scope).steps.filter((id) => !may.has(id));
    return late.map((id) =>
      finding('condition_order', step, field, `${id} does not come before it; add ${id} to needs`),
    );
  } catch (error) {
    if (error instanceof ConditionError) return [finding(error.code, step, field, error.message)];
    throw error;
  }
}

/** Conditions and criteria are typed CEL over results available by then. */
export const conditionRule: Rule = ({ plan, scope, graph }) => {
  const all = new Set(plan.steps.map((step) => step.id));
  const ofSteps = plan.steps.flatMap((step) => {
    const before = ancestors(graph, step.id);
    const when = step.when === undefined ? [] : check(step.when, scope, before, step.id, 'when');
    const own = new Set([...before, step.id]);
    return [
      ...when,
      ...(step.success ?? []).flatMap((s, i) => check(s, scope, own, step.id, `success.${i}`)),
    ];
  });
  const causes = plan.situation?.causes ?? [];
  return [
    ...ofSteps,
    ...plan.success.flatMap((s, i) => check(s, scope, all, null, `success.${i}`)),
    ...causes.flatMap(({ id, when }) => check(when, scope, all, null, `causes.${id}.when`)),
  ];
};
