import { cut, oneLine } from '../core/clean-text.ts';
import type { Need } from '../core/missing-input.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';

/** Maximum buttons under one question. */
const maxButtons = 5;
const maxButton = 75;
/** Maximum values listed in a question when they have no buttons. */
const maxNamed = 20;

/** The question for a step's missing argument; its answer completes this very plan, without asking a planner again. */
export function lackingQuestion(
  need: Need & { readonly step: string },
  { plan, reply }: { readonly plan: Plan; readonly reply: PlannerReply | null },
): PlannerReply {
  const { step, arg, item = null, choices } = need;
  const planner = reply?.planner ?? 'person';
  const options = choices.filter((choice) => choice.length <= maxButton).slice(0, maxButtons);
  const blank = { plan, planner, step, arg, item };
  const named = choices.slice(0, maxNamed).map((choice) => `“${cut(oneLine(choice), maxButton)}”`);
  const all = `${named.join(', ')}${choices.length > maxNamed ? ' …' : ''}`;
  const question = options.length === choices.length ? need.question : `${need.question} (${all})`;
  const answer = { kind: 'clarify', question, missing: [item ?? arg], options, blank } as const;
  return { answer, planner, confidence: 1, usage: reply?.usage ?? null, notes: [] };
}
