import { z } from 'zod';
import type { PlannerAnswer } from '../../core/answer.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { onlyReads } from '../../core/code-step.ts';
import { unwrap } from '../../core/fields.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { planTitle } from '../../core/title.ts';
import { plansOf } from '../log-fields.ts';
import { buttonsOf, planWords } from '../offer-labels.ts';
import { unitWords } from './forms.ts';
import type { Reply } from './readings.ts';

/** “newest 20 errors”, “last 5 log lines”: how many of a list, and which end of it. */
export interface Ranked {
  /** The request without it. */
  readonly goal: string;
  readonly words: string;
  readonly order: 'newest' | 'oldest' | null;
  readonly limit: number;
}

const ends = 'newest|latest|last|most recent|oldest|first|top';
const rank = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:the )?(?:(?<end>${ends}) (?<count>\\d{1,3})|(?<many>\\d{1,3}) (?<side>newest|latest|last|most recent|oldest))(?= \\p{L})(?! (?:${unitWords})(?!\\p{L}))`,
  'iu',
);

/** Null for a request that says none. */
export function rankedIn({ goal, change, replan, quoted }: PlanningInput): Ranked | null {
  if (change !== null || replan !== null || quoted !== null || /["“”«»`]/u.test(goal)) return null;
  const { 0: words, groups, index = 0 } = rank.exec(goal) ?? {};
  const limit = Number(groups?.count ?? groups?.many);
  if (words === undefined || !(limit > 0)) return null;
  const side = (groups?.end ?? groups?.side ?? '').toLowerCase();
  const order = side === 'oldest' ? 'oldest' : /^(?:first|top)$/u.test(side) ? null : 'newest';
  const rest = `${goal.slice(0, index)} ${goal.slice(index + words.length)}`;
  return { goal: rest.replaceAll(/\s+/gu, ' ').trim(), words, order, limit };
}

/** Whether each plan of an answer has the number where it belongs. */
export const isRanked = (answer: PlannerAnswer, { limit }: Ranked): boolean =>
  plansOf(answer).length > 0 &&
  plansOf(answer).every(({ steps }) => steps.some(({ args }) => args.limit === limit));

/** The reply to the rest of a request, with number and order where its list takes them, else with a word that it has none. */
export function withRank(rest: Reply, ranked: Ranked, { goal, catalogue }: PlanningInput): Reply | null {
  const { answer, notes = [] } = rest;
  const plans = plansOf(answer);
  const isOne = plans.every(
    ({ steps, watch }) => watch === undefined && steps.length === 1 && onlyReads(steps, catalogue.manifests),
  );
  if (plans.length === 0 || !isOne || answer.kind === 'refuse') return null;
  const made = plans.map((plan) => rankedPlan({ ...plan, goal }, ranked, catalogue));
  const without = `This search has no order or number of entries to ask for, so “${ranked.words}” is not in the plan.`;
  const said = made.some(({ isTaken }) => !isTaken) ? [...notes, without] : notes;
  const [first] = made;
  if (answer.kind === 'plan' && first !== undefined)
    return { ...rest, answer: { kind: 'plan', plan: first.plan }, notes: said };
  if (answer.kind !== 'clarify' || answer.blank !== undefined || !answer.offers?.length) return null;
  const isName = answer.missing[0] !== 'goal';
  const changed = made.map(({ plan }) => plan);
  const offers = buttonsOf(
    changed,
    isName ? answer.options : changed.map((plan) => planWords(plan, catalogue.manifests)),
  );
  const question = said.length > notes.length ? `${without} ${answer.question}` : answer.question;
  return { ...rest, answer: { ...answer, question, offers, options: offers.map(({ option }) => option) } };
}

function rankedPlan(
  plan: Plan,
  { order, limit }: Ranked,
  { manifests }: Catalogue,
): { plan: Plan; isTaken: boolean } {
  const [step] = plan.steps;
  const shape = step && manifests.get(step.tool)?.args.shape;
  if (step === undefined || shape?.limit === undefined) return { plan, isTaken: false };
  const orders = shape.order === undefined ? undefined : unwrap(shape.order);
  const isKnown = order !== null && orders instanceof z.ZodEnum && orders.options.includes(order);
  const steps = [{ ...step, args: { ...step.args, limit, ...(isKnown ? { order } : {}) } }];
  return {
    plan: { ...plan, steps, summary: planTitle(steps, manifests) },
    isTaken: order === null || isKnown,
  };
}
