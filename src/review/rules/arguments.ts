import { z } from 'zod';
import { fieldInfo, isOptional, unwrap } from '../../core/fields.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Step } from '../../core/plan.ts';
import { isRef } from '../../core/refs.ts';
import type { Rule } from '../rule.ts';

function checkValue(manifest: Manifest, step: Step, name: string, value: ArgValue): Finding[] {
  const schema = manifest.args.shape[name];
  const field = `args.${name}`;
  if (!schema) {
    const known = Object.keys(manifest.args.shape).join(', ');
    return [
      finding('unknown_argument', step.id, field, `${manifest.name} has no such argument; it has ${known}`),
    ];
  }
  if (isRef(value)) return [];
  const isList = unwrap(schema) instanceof z.ZodArray;
  if (Array.isArray(value) && !isList) {
    if (fieldInfo(schema).kind !== 'text') {
      return [finding('parts_outside_text', step.id, field, 'only a text may be built from parts')];
    }
    return value.length > 0 ? [] : [finding('bad_argument', step.id, field, 'is an empty list')];
  }
  if (Array.isArray(value) && value.some(isRef)) return [];
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => finding('bad_argument', step.id, field, issue.message));
}

function missing(manifest: Manifest, step: Step): Finding[] {
  const required = Object.entries(manifest.args.shape)
    .filter(([name, schema]) => !isOptional(schema) && !Object.hasOwn(step.args, name))
    .map(([name]) => finding('missing_argument', step.id, `args.${name}`, `${manifest.name} needs it`));
  const choices = manifest.exactlyOne
    .filter((names) => names.filter((name) => Object.hasOwn(step.args, name)).length !== 1)
    .map((names) => finding('exactly_one', step.id, 'args', `must have exactly one of ${names.join(', ')}`));
  const some = [manifest.anyOf ?? []]
    .filter((names) => names.length > 0 && !names.some((name) => Object.hasOwn(step.args, name)))
    .map((names) =>
      finding('missing_argument', step.id, 'args', `must have at least one of ${names.join(', ')}`),
    );
  return [...required, ...choices, ...some];
}

/** Only declared arguments, all required ones, each of its type. */
export const argumentRule: Rule = ({ plan, scope }) =>
  plan.steps.flatMap((step) => {
    const manifest = scope.get(step.id);
    if (!manifest) return [];
    const values = Object.entries(step.args).flatMap(([name, value]) =>
      checkValue(manifest, step, name, value),
    );
    return [...values, ...missing(manifest, step)];
  });
