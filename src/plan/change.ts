import { canonicalJson } from '../core/canonical.ts';
import { type Plan, type PlanDraft, planSchema } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import type { Turn } from '../core/turn.ts';
import { type PlanPort, planningInput } from './planning.ts';

/** How sure the planner must be that a reply nobody addressed to it is a change, or an order of which it has a part. */
export const minConfidence = { whole: 0.85, part: 0.6 };

/** A plan that was changed in words, or what is wrong with the words where that is known. */
export type Changed =
  | { readonly ok: true; readonly plan: Plan; readonly reply: PlannerReply }
  | { readonly ok: false; readonly why: string | null };

/** Changes `draft` in the words of the turn, unless they change nothing that the planner understands. */
export async function changePlan(
  request: Request,
  { change: words }: Turn,
  draft: PlanDraft,
  port: PlanPort,
): Promise<Changed> {
  if (words === null) return { ok: false, why: null };
  const plan = planSchema.parse(draft);
  const reply = await port.planner.plan(planningInput(request, { change: { plan, words } }, port));
  await port.record(request.id, 'change', reply.usage);
  const { answer } = reply;
  if (answer.kind === 'plan' && !doesTheSame(plan, answer.plan)) {
    return { ok: true, plan: answer.plan, reply };
  }
  const why =
    answer.kind === 'clarify' ? answer.question : answer.kind === 'refuse' ? answer.explanation : null;
  return { ok: false, why };
}

/**
 * True when words that nobody addressed to the bot order a change of the plan. Of one that is understood in part, people
 * hear what was not: silence would look as if it were on its way.
 */
export async function ordersChange(
  request: Request,
  plan: Plan,
  words: string,
  port: PlanPort,
): Promise<boolean> {
  const { answer, confidence } = await port.offline.plan(
    planningInput(request, { change: { plan, words } }, port),
  );
  if (answer.kind === 'clarify') return confidence >= minConfidence.part;
  return answer.kind === 'plan' && confidence >= minConfidence.whole && !doesTheSame(plan, answer.plan);
}

/** Whether two plans have the same steps and criteria, whatever words go with them. */
export function doesTheSame(one: Plan, other: Plan): boolean {
  const facts = ({ steps, success, goal, watch }: Plan) =>
    canonicalJson({
      goal,
      success,
      watch: watch ?? null,
      steps: steps.map(({ why: _why, ...step }) => step),
    });
  return facts(one) === facts(other);
}
