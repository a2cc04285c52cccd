import { ConditionError, compileCondition, sentenceOf } from '../../core/condition.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Step } from '../../core/plan.ts';
import { hasWritten } from '../../core/queries/written.ts';
import { checkId, checkStep, checkWords } from '../../core/verify.ts';
import { type Rule, type Subject, subjectOf } from '../rule.ts';
import { argumentRule } from './arguments.ts';
import { conditionRule } from './conditions.ts';
import { flowRule } from './flows.ts';
import { referenceRule } from './references.ts';
import { targetRule } from './targets.ts';
import { toolRule } from './tools.ts';

const readRules: readonly Rule[] = [
  toolRule,
  argumentRule,
  referenceRule,
  targetRule,
  conditionRule,
  flowRule,
];

/** A write is verified by a read that holds to the rules of every read, with a condition on its result. */
export const verifyRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) => {
    const check = checkStep(step, subject.plan.steps);
    return check === null ? [] : checkFindings(subject, step, check);
  });

function checkFindings(subject: Subject, step: Step, check: Step): Finding[] {
  const { plan, catalogue, scope } = subject;
  const about = (rule: string, field: string, message: string) =>
    finding(rule, step.id, `verify${field === '' ? '' : `.${field}`}`, message);
  if (scope.get(step.id)?.effect === 'read')
    return [about('verify_read', '', `only a write is verified; ${step.tool} reads`)];
  if (catalogue.manifests.get(check.tool)?.effect === 'write')
    return [about('verify_writes', 'tool', `a write is verified by a read; ${check.tool} writes`)];
  if (hasWritten({ steps: [check] }, catalogue.manifests))
    return [about('verify_written', 'tool', 'a check is a vetted query; nobody would see a written one')];
  if (plan.steps.some(({ id }) => id === checkId))
    return [about('verify_name', '', `${checkId} is its result; give the step ${checkId} another name`)];
  const whole = subjectOf({ ...plan, steps: [...plan.steps, check] }, subject);
  const found = readRules.flatMap((rule) => rule(whole)).filter((one) => one.step === checkId);
  if (found.length > 0)
    return found.map(({ rule, field, message }) =>
      about(rule, field === 'success.0' ? 'holds' : (field ?? ''), message),
    );
  return readsAfter(check, subject)
    ? []
    : [about('verify_condition', 'holds', `must be a condition on ${checkId}, the result of ${check.tool}`)];
}

function readsAfter(check: Step, { plan, catalogue }: Subject): boolean {
  const [holds = ''] = check.success ?? [];
  if (sentenceOf(holds) !== null) return false;
  try {
    const { scope } = checkWords(check, plan.steps, catalogue.manifests);
    return compileCondition(holds, scope).steps.includes(checkId);
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
