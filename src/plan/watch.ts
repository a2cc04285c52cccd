import type { PlannerAnswer } from '../core/answer.ts';
import { cadenceWords } from '../core/cadence.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { lexiconFor } from './offline/lexicon.ts';
import { readText } from './offline/text.ts';
import { readWatch, type Watched } from './watch-times.ts';

/** What is missing until a watch is told when to speak; the answer is a bound. */
const asksFor = 'bound';

/**
 * Takes off a goal what it says of when to look again, and leaves the rest to `next`, which has to account for every word
 * of it. What comes back is looked at again and again.
 */
export function watchFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const watched = watchIn(input);
      if (watched === null || watched.rest === '') return next.plan(input);
      if (!isWhole(watched)) return refusal;
      const answers = input.answers.filter(({ missing }) => !missing.includes(asksFor));
      const reply = await next.plan({ ...input, answers, goal: watched.rest, watched: true });
      return { ...reply, answer: answerOf(reply, watched, input) };
    },
  };
}

/** A bound that was asked for stands where it would have been said. */
function watchIn(input: PlanningInput): Watched | null {
  const { goal, answers, catalogue, change, replan, now } = input;
  if (change !== null || replan !== null || looksLikeNotation(goal, catalogue)) return null;
  const bound = answers.findLast(({ missing }) => missing.includes(asksFor))?.answer;
  const whole = bound === undefined ? goal : `${goal.replace(/[\s.]+$/, '')}, ${bound}`;
  return readWatch(readText(whole, input, lexiconFor(catalogue)), now, catalogue.defaults.timezone ?? 'UTC');
}

function isWhole({ times: { every } }: Watched): boolean {
  return 'cron' in every || Number.isInteger(every.minutes);
}

const refusal: PlannerReply = {
  answer: {
    kind: 'refuse',
    reason: 'out_of_scope',
    explanation: 'A watch looks at whole minutes. Say it in minutes, such as “every 5 minutes”.',
  },
  ...{ planner: 'offline', confidence: 1, usage: null, notes: [] },
};

const asksForBound: PlannerAnswer = {
  kind: 'clarify',
  question: 'At what number should I report it?',
  missing: [asksFor],
  options: ['over 10', 'over 20', 'over 50'],
};

/** Each plan with its times; one in which nothing says when to speak is none. */
function answerOf(
  { answer }: PlannerReply,
  { times, isGuess }: Watched,
  { goal, catalogue }: PlanningInput,
): PlannerAnswer {
  const guess = `Looks ${cadenceWords(times.every)}, because the request does not say how often.`;
  const watchOf = (plan: Plan): Plan[] =>
    'cron' in times.every || isConditional(plan, catalogue.manifests)
      ? [{ ...plan, goal, assumptions: [...plan.assumptions, ...(isGuess ? [guess] : [])], watch: times }]
      : [];
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'plan') {
    const [plan] = watchOf(answer.plan);
    return plan ? { kind: 'plan', plan } : asksForBound;
  }
  const before = answer.offers ?? [];
  const offers = before.flatMap(({ option, plan }) => watchOf(plan).map((one) => ({ option, plan: one })));
  const isDropped = (name: string): boolean =>
    before.some(({ option }) => option === name) && !offers.some(({ option }) => option === name);
  return { ...answer, offers, options: answer.options.filter((option) => !isDropped(option)) };
}
