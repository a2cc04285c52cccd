import { canonicalJson } from '../core/canonical.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { asOrdered } from '../core/ordered.ts';
import { type Plan, type PlanDraft, planSchema, type Step } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import { withChecksOf } from '../core/verify.ts';
import { stillOmitting } from './left-out.ts';
import { type PlanPort, planningInput } from './planning.ts';
import { inRequesterZone, requesterZone } from './zone.ts';

type Question = Extract<PlannerReply['answer'], { readonly kind: 'clarify' }>;

/** How sure the planner must be that a reply not addressed to it is an order to it, understood or not. */
const minConfidence = 0.6;
/** Below that it may still have been one. Measured so that no more talk between people is taken for it. */
const minDoubt = 0.4;

/** Whether words not addressed to the bot order a change to the plan. */
export type Order = 'surely' | 'perhaps' | 'no';

/** A plan changed in words, or the problem with the words if known. */
export type Changed =
  | { readonly ok: true; readonly plan: Plan; readonly reply: PlannerReply }
  | { readonly ok: false; readonly why: string | null };

/** Applies the words of the turn to `draft`, unless the planner finds no change in them. */
export async function changePlan(
  request: Request,
  { change: words, actor }: Turn,
  draft: PlanDraft,
  port: PlanPort,
): Promise<Changed> {
  if (words === null) return { ok: false, why: null };
  const plan = asOrdered(planSchema.parse(draft), port.catalogue.manifests);
  const zone = await requesterZone(request, port.zoneOf);
  const about = request.threadTs === null ? {} : await port.aboutThread(request);
  const input = planningInput(request, { ...about, change: { plan, words }, zone }, port);
  const reply = inRequesterZone(await port.planner.plan(input), input);
  await port.record(request.id, 'change', reply.usage);
  const { answer } = reply;
  const changed =
    answer.kind === 'plan'
      ? spokenBy(
          actor,
          request,
          { was: plan, plan: changedBy(words, plan, reply, answer.plan) },
          port.catalogue,
        )
      : null;
  if (changed !== null && !doesTheSame(plan, changed)) return { ok: true, plan: changed, reply };
  if (answer.kind === 'clarify') return { ok: false, why: problemIn(answer) };
  return { ok: false, why: answer.kind === 'refuse' ? answer.explanation : null };
}

const changedBy = (words: string, was: Plan, { planner }: PlannerReply, now: Plan): Plan =>
  stillOmitting(was, withChecksOf(was, now), words, planner === 'model');

/** The words that were not clear in a change, or the question for a name. Plans are no choice here: a reply is typed. */
function problemIn({ question, missing, options, offers }: Question): string | null {
  if (offers === undefined || missing[0] !== 'goal')
    return [question, ...options.map((option) => `“${option}”`)].join(' ');
  return /^I’m not sure about (?:“[^”]*”(?:, )?)+\./u.exec(question)?.[0] ?? null;
}

/** A plan's “me” is its requester: “only mine” by anybody else means that person. */
function spokenBy(
  actor: string,
  { requester }: Request,
  { was, plan }: { readonly was: Plan; readonly plan: Plan },
  { people }: Catalogue,
): Plan {
  const handle = people.find(({ id }) => id === actor)?.handle;
  const isTheirs = was.steps.some(({ args }) => args.assignee === 'me');
  if (actor === requester || handle === undefined || isTheirs) return plan;
  const named = ({ args, ...step }: Step): Step =>
    args.assignee === 'me' ? { ...step, args: { ...args, assignee: `@${handle}` } } : { ...step, args };
  return { ...plan, steps: plan.steps.map(named) };
}

/**
 * Takes the reason of a rejection as a change: it was written for people, so the planner must be sure. A watch would
 * begin without a card, and a plan that only reads would run without one. “No” or “wrong” asks for nothing else.
 */
export async function changeByReason(
  request: Request,
  turn: Turn,
  draft: PlanDraft,
  port: PlanPort,
): Promise<Changed> {
  const changed = await changePlan(request, turn, draft, port);
  if (!changed.ok) return changed;
  const { plan, reply } = changed;
  const { manifests } = port.catalogue;
  const hasCard =
    plan.watch === undefined && plan.steps.some(({ tool }) => manifests.get(tool)?.effect === 'write');
  const isNew = plan.steps.length !== draft.steps.length || plan.steps.some((step) => !isWithin(step, draft));
  return hasCard && isNew && reply.confidence >= minConfidence ? changed : { ok: false, why: null };
}

/** True for a step of the plan, also with fewer arguments. */
function isWithin({ tool, args, when }: Step, { steps }: PlanDraft): boolean {
  const isKept = (other: PlanDraft['steps'][number]): boolean =>
    other.tool === tool &&
    other.when === when &&
    Object.entries(args).every(
      ([name, value]) => canonicalJson(other.args[name] ?? null) === canonicalJson(value),
    );
  return steps.some(isKept);
}

/**
 * Finds out whether words not addressed to the bot order a change to the plan. If one is understood only partly, people
 * are told which part was not: silence would look as if it were being done.
 */
export async function ordersChange(
  request: Request,
  whole: Plan,
  words: string,
  port: PlanPort,
): Promise<Order> {
  const plan = asOrdered(whole, port.catalogue.manifests);
  const about = request.threadTs === null ? {} : await port.aboutThread(request);
  const reply = await port.offline.plan(planningInput(request, { ...about, change: { plan, words } }, port));
  if (isOrder(plan, reply)) return 'surely';
  return isOrder(plan, reply, minDoubt) ? 'perhaps' : 'no';
}

/** Whether an answer to words not addressed to the bot is sure enough that they were an order to it. */
export function isOrder(plan: Plan, { answer, confidence }: PlannerReply, least = minConfidence): boolean {
  if (answer.kind === 'refuse' || confidence < least) return false;
  return answer.kind === 'clarify' || !doesTheSame(plan, withChecksOf(plan, answer.plan));
}

/** Whether two plans have the same steps and criteria, whatever their wording. */
function doesTheSame(one: Plan, other: Plan): boolean {
  const facts = ({ steps, success, goal, watch }: Plan) =>
    canonicalJson({
      goal,
      success,
      watch: watch ?? null,
      steps: steps.map(({ why: _why, ...step }) => step),
    });
  return facts(one) === facts(other);
}
