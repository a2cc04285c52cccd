import type { Offer, PlannerAnswer } from '../core/answer.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { withoutQuotes } from './quotations.ts';

/** "wake me if", "page us as soon as": the person expects it to be looked at from now on. */
const expectant =
  /(?<!\p{L})(?:(?:wake|page|tell|notify|alert|ping|warn|call|text|message) (?:me|us)(?: up)?|let (?:me|us) know|weck(?:e|t)? mich(?: auf)?|(?:ruf|piep)\w{0,2} mich(?: an)?|préviens-moi|réveille-moi|av[ií]same|despiértame),? (?:if|when(?:ever)?|once|as soon as|the moment|wenn|sobald|si|quand|dès que|cuando|en cuanto)(?!\p{L})/iu;

const oftens = [
  ['Every 5 minutes', 5],
  ['Every 15 minutes', 15],
  ['Every hour', 60],
] as const;
const once = 'Only once, now';

/** A question with the plan as a watch; `reading`: the plan as it was understood, for a single look. */
export function howOften(
  plan: Plan,
  { why = '', reading = null }: { readonly why?: string; readonly reading?: Plan | null },
): PlannerAnswer {
  const offers: Offer[] = [
    ...oftens.map(([option, minutes]) => ({ option, plan: { ...plan, watch: { every: { minutes } } } })),
    ...(reading === null ? [] : [{ option: once, plan: reading }]),
  ];
  const question = `${why}How often should I look?`;
  return {
    kind: 'clarify',
    question,
    missing: ['goal'],
    options: offers.map(({ option }) => option),
    offers,
  };
}

/** A plan that only acts under a condition: it can be looked at again and again. */
export const mayRepeat = (plan: Plan, { catalogue: { manifests } }: PlanningInput): boolean =>
  plan.watch === undefined &&
  plan.steps.some(({ when }) => when !== undefined) &&
  isConditional(plan, manifests);

/** Asks how often to look where a single look would be forgotten. */
export function expectantFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const reply = await next.plan(input);
      const { answer, planner } = reply;
      const isNew = input.change === null && input.replan === null && input.answers.length === 0;
      if (answer.kind !== 'plan' || planner === 'person' || planner === 'playbook' || !isNew) return reply;
      const { plan } = answer;
      if (!expectant.test(withoutQuotes(input.goal)) || !mayRepeat(plan, input)) return reply;
      return { ...reply, answer: howOften(plan, { reading: plan }) };
    },
  };
}
