import type { Offer } from '../core/answer.ts';
import { cut } from '../core/inert.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { unaccounted } from './account.ts';
import { type AskingOptions, askModel } from './model/asking.ts';
import type { StoppablePlanner } from './ports.ts';

export interface PlannerOptions extends AskingOptions {
  /** Plans where no model does; what the review would reject is no plan of it. */
  readonly everyday: Planner;
  /** Null without a configured model. */
  readonly model: StoppablePlanner | null;
}

/** Under this a plan that was made without a model carries a warning. */
const sure = 0.75;
/** More buttons than these are a menu. */
const maxOffers = 3;
const maxOptions = 5;
/** Slack's bound for the text of a button. */
const maxButton = 75;

const toCheck = 'This may not be what was meant; read the steps closely before approving.';

/** The other planner's reading goes along: it may be right, and a model that sees it has less to find. */
function withHint(input: PlanningInput, { answer }: PlannerReply): PlanningInput {
  const hint =
    answer.kind === 'plan' ? answer.plan : answer.kind === 'clarify' ? answer.offers?.[0]?.plan : undefined;
  return hint === undefined || isOfAPlan(input) ? input : { ...input, hint };
}

const isOfAPlan = ({ change, replan }: PlanningInput): boolean => change !== null || replan !== null;

/** What a model's plan may not carry is said beside it. */
function accounted(reply: PlannerReply, input: PlanningInput): PlannerReply {
  if (reply.answer.kind !== 'plan' || isOfAPlan(input)) return reply;
  const words = new Set(unaccounted(input, reply.answer.plan).map(({ word }) => `“${word}”`));
  const named = [...words].slice(0, 3).join(', ');
  const note = `The plan may not carry ${named}; check that before approving.`;
  return named === '' ? reply : { ...reply, notes: [...reply.notes, note] };
}

/** A question of the model with the plans that the other planner has seen as buttons, before the model’s own. */
function withButtons(reply: PlannerReply, input: PlanningInput, { answer }: PlannerReply): PlannerReply {
  const question = reply.answer;
  if (question.kind !== 'clarify' || answer.kind === 'refuse' || isOfAPlan(input)) return reply;
  const own = answer.kind === 'plan' ? [offerOf(answer.plan)] : (answer.offers ?? []);
  const offers = own.slice(0, maxOffers);
  if (offers.length === 0) return reply;
  const options = [...new Set([...offers.map(({ option }) => option), ...question.options])];
  return { ...reply, answer: { ...question, options: options.slice(0, maxOptions), offers } };
}

const offerOf = (plan: Offer['plan']): Offer => ({ option: cut(plan.summary, maxButton), plan });

function withDoubt(reply: PlannerReply): PlannerReply {
  const isUnsure = reply.answer.kind === 'plan' && reply.confidence < sure;
  return isUnsure ? { ...reply, notes: [...reply.notes, toCheck] } : reply;
}

/**
 * Plans with the model where there is one. When that is down, late, over the day's budget or wrong after its
 * corrections, the other planner's answer is used and a note says why. Never throws because of the model.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { everyday, model } = options;
  return {
    async plan(input) {
      const own = await everyday.plan(input);
      // Who is on call is looked up first: a model that asks for it would have to be asked twice.
      const asksWho = own.answer.kind === 'clarify' && own.answer.missing.includes('me');
      if (model === null || (asksWho && input.onCallFor === undefined)) return withDoubt(own);
      const attempt = await askModel(model, withHint(input, own), options);
      if (attempt.reply !== null) return withButtons(accounted(attempt.reply, input), input, own);
      return withDoubt({ ...own, usage: attempt.usage, notes: [...own.notes, attempt.note] });
    },
  };
}
