import type { Offer } from '../core/answer.ts';
import type { Planner, PlannerReply, PlanningInput, ReviewDraft } from '../core/planning.ts';
import { unmentioned } from './account.ts';
import { type Ideas, type IncidentService, situationFirst } from './causes/asked.ts';
import { droppedFirst } from './dropped.ts';
import { eachFirst } from './each-words.ts';
import { everydayNetwork } from './everyday/network.ts';
import { createEverydayPlanner } from './everyday/planner.ts';
import { WeightsError } from './everyday/weights.ts';
import { messageFirst } from './from-message.ts';
import { refuseLater } from './later.ts';
import { inFields } from './log-fields.ts';
import { expectantFirst } from './look-again.ts';
import { type AskingOptions, askModel } from './model/ask-with-budget.ts';
import { notationFirst } from './notation.ts';
import { labelsOf, planWords } from './offer-labels.ts';
import { acrossPlatforms } from './platforms.ts';
import { playbooksByName } from './playbooks/by-name.ts';
import { findExamples, playbooksByGoal } from './playbooks/match-goal.ts';
import type { Playbook } from './playbooks/playbook.ts';
import type { FindExamples, StoppablePlanner } from './ports.ts';
import { refuseFirst } from './refusals.ts';
import { keptRest } from './replies/kept.ts';
import { repliesFirst } from './replies/planner.ts';
import { reviewed } from './reviewed.ts';
import { ordersTogether } from './several-orders.ts';

export interface PlannerOptions extends AskingOptions {
  /** Plans without a model; it returns no plan that the review would reject. */
  readonly everyday: Planner;
  /** Null without a configured model. */
  readonly model: StoppablePlanner | null;
}

/** Below this, a plan made without a model carries a warning. */
const sure = 0.75;
/** More buttons would be a menu. */
const maxOffers = 3;
const maxOptions = 5;

const toCheck = 'This may not be what was meant; look closely.';

/** Includes the other planner's reading: it may be right, and gives the model less to find. */
function withHint(input: PlanningInput, { answer }: PlannerReply): PlanningInput {
  const hint =
    answer.kind === 'plan' ? answer.plan : answer.kind === 'clarify' ? answer.offers?.[0]?.plan : undefined;
  return hint === undefined || isOfAPlan(input) ? input : { ...input, hint };
}

const isOfAPlan = ({ change, replan }: PlanningInput): boolean => change !== null || replan !== null;

/** Adds a note about words that a model's plan may not carry; status codes and hosts go to their fields. */
function accounted(given: PlannerReply, input: PlanningInput): PlannerReply {
  const reply = { ...given, answer: inFields(given.answer, input) };
  if (reply.answer.kind !== 'plan' || isOfAPlan(input)) return reply;
  const words = new Set(unmentioned(input, reply.answer.plan).map(({ word }) => `“${word}”`));
  const named = [...words].slice(0, 3).join(', ');
  const note = `The plan may not carry ${named}; check that before approving.`;
  return named === '' ? reply : { ...reply, notes: [...reply.notes, note] };
}

/** A model's question with the other planner's plans as buttons, before the model's own. */
function withButtons(reply: PlannerReply, input: PlanningInput, { answer }: PlannerReply): PlannerReply {
  const question = reply.answer;
  if (question.kind !== 'clarify' || answer.kind === 'refuse' || isOfAPlan(input)) return reply;
  const own = answer.kind === 'plan' ? [offerOf(answer.plan, input)] : (answer.offers ?? []);
  const offers = own.slice(0, maxOffers);
  if (offers.length === 0) return reply;
  const options = [...new Set([...offers.map(({ option }) => option), ...question.options])];
  return { ...reply, answer: { ...question, options: options.slice(0, maxOptions), offers } };
}

const offerOf = (plan: Offer['plan'], { catalogue: { manifests } }: PlanningInput): Offer => ({
  option: labelsOf([planWords(plan, manifests)])[0] ?? '',
  plan,
});

function withDoubt(reply: PlannerReply): PlannerReply {
  const isUnsure = reply.answer.kind === 'plan' && reply.confidence < sure;
  return isUnsure ? { ...reply, notes: [...reply.notes, toCheck] } : reply;
}

/**
 * Plans with the model if there is one. If it is down, late, over the day's budget or still wrong after corrections,
 * the other planner's answer is used, with a note. Never throws because of the model.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { everyday, model } = options;
  return {
    async plan(input) {
      const own = await everyday.plan(input);
      // Looks up who is on call first: otherwise a model that needs it would have to be asked twice.
      const asksWho = own.answer.kind === 'clarify' && own.answer.missing.includes('me');
      if (model === null || (asksWho && input.onCallFor === undefined)) return withDoubt(own);
      const attempt = await askModel(model, withHint(input, own), options);
      if (attempt.reply !== null) return withButtons(accounted(attempt.reply, input), input, own);
      const notes = [...own.notes, attempt.note];
      return withDoubt({ ...own, fellBack: true, usage: attempt.usage, notes });
    },
  };
}

export interface OfflinePlanners {
  /** Plans without a model: notation, playbooks by name, and everything else through `everyday`. */
  readonly planner: Planner;
  /** Plans inexact requests; returns nothing that the review would reject. */
  readonly everyday: Planner;
  /** Plans exact requests as written and refuses dangerous ones; anything else goes to `next`, a model if there are `ideas`. */
  readonly exactFirst: (next: Planner, ideas?: Ideas | null) => Planner;
  /** Replies that change a plan without a model: a model knows what was meant. */
  readonly corrected: (next: Planner) => Planner;
  /** Playbooks close to a goal, as examples for the model. */
  readonly examples: FindExamples;
  /** Why planning from words does not work without a model. */
  readonly problem: WeightsError | null;
}

/** The order in which a request is tried: each planner takes what it is sure of, and leaves the rest to the next. */
export function plannersWithoutModel({
  installed,
  all,
  serviceOfIncident,
  review,
}: {
  readonly installed: readonly Playbook[];
  /** With those that people saved. */
  readonly all: () => Promise<readonly Playbook[]>;
  readonly serviceOfIncident: IncidentService;
  readonly review: ReviewDraft;
}): OfflinePlanners {
  const network = everydayNetwork();
  const learned = ordersTogether(createEverydayPlanner({ network, review }), review);
  const everyday = reviewed(playbooksByGoal(installed, learned), review);
  const corrected = (next: Planner): Planner => repliesFirst(keptRest(next), review);
  const exactFirst = (next: Planner, ideas: Ideas | null = null): Planner => {
    const asked = situationFirst(next, serviceOfIncident, ideas);
    const safe = refuseFirst(expectantFirst(refuseLater(asked)));
    const named = playbooksByName(all, eachFirst(safe, reviewed(learned, review)));
    const replied = droppedFirst(ideas === null ? corrected(named) : named);
    return messageFirst(notationFirst(replied), review);
  };
  const problem = network instanceof WeightsError ? network : null;
  const planner = acrossPlatforms(exactFirst(everyday));
  return { planner, everyday, exactFirst, corrected, examples: findExamples(installed), problem };
}
