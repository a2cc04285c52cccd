import { fieldInfo } from '../../core/fields.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { itemRef, kindInList } from '../../core/for-each.ts';
import { ancestors } from '../../core/graph.ts';
import type { Step } from '../../core/plan.ts';
import { isRef, refsOf, splitRef } from '../../core/refs.ts';
import type { Rule, Subject } from '../rule.ts';

/**
 * A write for each entry of a list takes the list from a read that depends on reads alone, has the entry as its target,
 * and no step uses its result.
 */
export const forEachRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) => [
    ...(step.each === undefined ? [] : checkEach(subject, step, step.each)),
    ...(step.oneOf === undefined ? [] : checkList(subject, step, step.oneOf, 'oneOf')),
  ]);

function checkEach(subject: Subject, step: Step, list: string): Finding[] {
  const { plan, scope } = subject;
  const about = (message: string) => [finding('for_each', step.id, 'each', message)];
  if (scope.get(step.id)?.effect === 'read') return about(`is for writes; ${step.tool} reads`);
  if (step.oneOf !== undefined) return about('is either for each entry or for one');
  const found = checkList(subject, step, list, 'each');
  if (found.length > 0) return found;
  const shape = scope.get(step.id)?.args.shape ?? {};
  const isTarget = Object.entries(step.args).some(
    ([name, value]) =>
      isRef(value) && value.ref === itemRef(list) && shape[name] && fieldInfo(shape[name]).kind === 'target',
  );
  if (!isTarget) return about(`must have an entry of ${list} as its target`);
  const user = plan.steps.find((other) => refsOf(other).some(({ ref }) => splitRef(ref).step === step.id));
  return user === undefined ? [] : about(`has a result for each entry, which ${user.id} cannot use`);
}

function checkList({ plan, scope, graph }: Subject, step: Step, list: string, field: string): Finding[] {
  const about = (message: string) => [finding('for_each', step.id, field, message)];
  const { step: id, path } = splitRef(list);
  const source = scope.get(id);
  if (source === undefined || kindInList(source, path[0] ?? '') === null)
    return about(`${list} is no list of things that a write can target`);
  const before = [id, ...ancestors(graph, id)];
  const write = plan.steps.find((one) => before.includes(one.id) && scope.get(one.id)?.effect !== 'read');
  return write === undefined
    ? []
    : about(`${list} has to be read before the card, but needs ${write.id}, which writes`);
}
