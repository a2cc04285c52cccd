import type { z } from 'zod';
import { celType } from '../../core/cel.ts';
import { fieldInfo, type TargetKind } from '../../core/fields.ts';
import { type Finding, finding } from '../../core/finding.ts';
import { kindInList, listOfItem } from '../../core/for-each.ts';
import { own } from '../../core/own-property.ts';
import type { Step } from '../../core/plan.ts';
import { refsOf, splitRef } from '../../core/refs.ts';
import type { Rule, Subject } from '../rule.ts';

/** Why a result field may not fill an argument, or null. Free text never becomes a target. */
function mismatch(
  arg: string,
  argument: z.core.$ZodType,
  result: z.core.$ZodType,
  ref: string,
): string | null {
  const wants = fieldInfo(argument);
  const gives = fieldInfo(result);
  if (wants.kind === 'text' || wants.kind === 'input') return null;
  if (wants.kind === 'target') {
    if (gives.kind === 'target' && gives.target === wants.target && celType(result) === 'string') return null;
    const is = gives.kind === 'target' ? aKind(gives.target) : 'text, and text never names one';
    return `the argument ${arg} must name ${aKind(wants.target)}; ${ref} is ${is}`;
  }
  const wanted = celType(argument);
  const given = gives.kind === 'text' ? null : celType(result);
  if (wanted === given || (wanted === 'double' && given === 'int')) return null;
  return `the argument ${arg} needs ${wanted ?? 'another type'}; ${ref} is ${given ?? 'free text'}`;
}

function aKind(kind: TargetKind | undefined): string {
  return `${/^[aeiou]/.test(kind ?? '') ? 'an' : 'a'} ${kind}`;
}

function checkRef(subject: Subject, step: Step, arg: string, ref: string): Finding[] {
  const field = `args.${arg}`;
  const list = listOfItem(ref);
  if (list !== null) return checkItem(subject, step, { arg, list });
  const { step: from, path } = splitRef(ref);
  if (from === step.id) return [finding('self_reference', step.id, field, `${ref} is its own result`)];
  if (!subject.plan.steps.some((other) => other.id === from)) {
    return [finding('missing_reference', step.id, field, `${ref} names no step of this plan`)];
  }
  const source = subject.scope.get(from);
  const argument = subject.scope.get(step.id)?.args.shape[arg];
  if (!source || !argument) return [];
  const name = path[0] ?? '';
  const result = own(source.result.shape, name);
  if (!result || path.length !== 1) {
    const known = Object.keys(source.result.shape).join(', ');
    return [
      finding(
        'missing_reference',
        step.id,
        field,
        `${source.name} returns no "${path.join('.')}"; it returns ${known}`,
      ),
    ];
  }
  const why = mismatch(arg, argument, result, ref);
  return why === null ? [] : [finding('reference_type', step.id, field, why)];
}

/** An entry is named only in the step for each of its list, whose own rule checks the list. */
function checkItem(
  { scope }: Subject,
  step: Step,
  { arg, list }: { readonly arg: string; readonly list: string },
): Finding[] {
  const field = `args.${arg}`;
  if (step.each !== list)
    return [
      finding(
        'missing_reference',
        step.id,
        field,
        `names an entry of ${list}; only a step for each of it can`,
      ),
    ];
  const argument = scope.get(step.id)?.args.shape[arg];
  const { step: from, path } = splitRef(list);
  const source = scope.get(from);
  const given = source && kindInList(source, path[0] ?? '');
  const wants = argument && fieldInfo(argument);
  if (wants === undefined || !given || wants.kind === 'text' || wants.target === given) return [];
  const wanted = wants.target === undefined ? 'another type' : aKind(wants.target);
  return [
    finding('reference_type', step.id, field, `needs ${wanted}; an entry of ${list} is ${aKind(given)}`),
  ];
}

/** A reference names a declared result of another step, of a kind its argument accepts. */
export const referenceRule: Rule = (subject) =>
  subject.plan.steps.flatMap((step) =>
    refsOf(step).flatMap(({ arg, ref }) => checkRef(subject, step, arg, ref)),
  );
