import { knowsTarget, namesOf } from '../../core/catalogue.ts';
import { fieldInfo } from '../../core/fields.ts';
import { finding } from '../../core/finding.ts';
import type { Rule } from '../rule.ts';

/** Literal targets must be in the catalogue, where it lists their kind. */
export const targetRule: Rule = ({ plan, catalogue, scope }) =>
  plan.steps.flatMap((step) =>
    Object.entries(step.args).flatMap(([name, value]) => {
      const schema = scope.get(step.id)?.args.shape[name];
      const kind = schema ? fieldInfo(schema).target : undefined;
      const literals = [value].flat().filter((v) => typeof v === 'string');
      if (kind === undefined) return [];
      return literals
        .filter((literal) => !knowsTarget(catalogue, kind, literal, plan.goal))
        .map((literal) => {
          const known = namesOf(catalogue, kind).slice(0, 12).join(', ');
          const hint = known ? `; known are ${known}` : '';
          return finding(
            'unknown_target',
            step.id,
            `args.${name}`,
            `"${literal}" is not a configured ${kind}${hint}`,
          );
        });
    }),
  );
