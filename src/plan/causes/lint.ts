import type { Catalogue } from '../../core/catalogue.ts';
import type { Finding } from '../../core/finding.ts';
import type { Plan } from '../../core/plan.ts';
import type { Playbook } from '../playbooks/playbook.ts';
import { checkOf } from './check.ts';
import { fixPlan } from './fix.ts';

/** Causes that could never be settled or fixed as they are written; each problem names its cause. */
export function causeProblems(
  catalogue: Catalogue,
  playbooks: readonly Playbook[],
  review: (plan: Plan) => { readonly findings: readonly Finding[] },
): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  return (catalogue.causes ?? []).flatMap((cause, index) => {
    const problem = (field: string, why: string) => [
      { path: ['causes', index, field], message: `${why.replace(/\.$/, '')} (cause ${cause.id})` },
    ];
    const service = cause.services?.[0] ?? catalogue.services[0]?.name;
    if (service === undefined) return problem('check', 'needs a service under services');
    const check = checkOf(cause, service, catalogue);
    if ('why' in check) return problem('check', check.why);
    const { sentence, id } = cause;
    const situation = { service, causes: [{ id, sentence, when: check.when }] };
    const plan = {
      goal: sentence,
      summary: id,
      inputs: [],
      assumptions: [],
      steps: [...check.steps],
      success: [],
    };
    const [wrong] = review({ ...plan, situation }).findings;
    if (wrong !== undefined) return problem('check', wordsOf(wrong));
    if (cause.fix === null) return [];
    const fix = fixPlan({ cause, service, goal: sentence }, playbooks, catalogue);
    if ('why' in fix) return problem('fix', fix.why);
    const [refused] = review(fix.plan).findings;
    return refused === undefined ? [] : problem('fix', wordsOf(refused));
  });
}

const wordsOf = ({ step, field, message }: Finding): string =>
  [step, field, message].filter(Boolean).join(' ');
