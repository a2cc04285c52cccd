import type { Offer } from '../core/answer.ts';
import type { Plan } from '../core/plan.ts';
import { planLimits } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput, ReviewDraft } from '../core/planning.ts';
import { planTitle } from '../core/title.ts';
import { labelsOf, planWords } from './offer-labels.ts';
import { ordersOnly } from './orders.ts';
import { plannedAlone, withMoreSteps } from './replies/more.ts';

/** More buttons would be a menu. */
const maxOffers = 3;

/**
 * Several orders in one request that `next` is not sure of: each is planned by itself, and what one does not say is as in
 * the others. All of them together are the first button.
 */
export function ordersTogether(next: Planner, review: ReviewDraft): Planner {
  return {
    async plan(input) {
      const reply = await next.plan(input);
      const isUnsure = reply.answer.kind === 'clarify' && reply.answer.missing[0] === 'goal';
      if (!isUnsure || input.change !== null || input.replan !== null || input.answers.length > 0)
        return reply;
      const whole = await together(input, next);
      const reviewed = whole && review(whole, input).plan;
      return reviewed ? offered(reply, reviewed, input.catalogue.manifests) : reply;
    },
  };
}

function offered(
  reply: PlannerReply,
  whole: Plan,
  manifests: PlanningInput['catalogue']['manifests'],
): PlannerReply {
  const wordsOf = (plan: Plan): string => planWords(plan, manifests);
  if (reply.answer.kind !== 'clarify') return reply;
  const others = (reply.answer.offers ?? []).map(({ plan }) => plan);
  const plans = [whole, ...others.filter((plan) => wordsOf(plan) !== wordsOf(whole))].slice(0, maxOffers);
  const labels = labelsOf(plans.map(wordsOf));
  const offers: Offer[] = plans.map((plan, at) => ({ option: labels[at] ?? '', plan }));
  const question = 'Which of these do you mean? If none, say it in other words.';
  return { ...reply, answer: { ...reply.answer, question, options: labels, offers } };
}

/** Null unless every order of the request has become a step. */
async function together(input: PlanningInput, next: Planner): Promise<Plan | null> {
  const parts = ordersOnly(input.goal, input.catalogue);
  if (parts.length < 2) return null;
  const steps = new Map<string, Plan['steps']>();
  let plan: Plan | null = null;
  for (let left = parts, count = -1; left.length > 0 && left.length !== count; ) {
    count = left.length;
    // The last order mostly has the words that all are to send.
    for (const part of left.toReversed()) {
      const before: Plan | null = plan;
      const found: Plan | string | null =
        before === null
          ? await plannedAlone(part, { steps: [] }, input, next)
          : await withMoreSteps(before, `also ${part}`, input, next);
      if (found === null || typeof found === 'string') continue;
      const known = new Set(before?.steps.map(({ id }) => id));
      steps.set(
        part,
        found.steps.filter(({ id }) => !known.has(id)),
      );
      plan = found;
    }
    left = left.filter((part) => !steps.has(part));
  }
  if (plan === null || steps.size < parts.length) return null;
  const inOrder = parts.flatMap((part) => steps.get(part) ?? []);
  if (inOrder.length > planLimits.steps) return null;
  return {
    ...plan,
    goal: input.goal,
    steps: inOrder,
    summary: planTitle(inOrder, input.catalogue.manifests),
  };
}
