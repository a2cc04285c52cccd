import type { PlannerAnswer } from '../core/answer.ts';
import { cadenceWords } from '../core/cadence.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { withNumber } from './offline/answers.ts';
import { lexiconFor } from './offline/lexicon.ts';
import { readText, type Text } from './offline/text.ts';
import { isOnceLater, readWatch, type Watched, waitsFor } from './watch-times.ts';

/** What is missing until a watch is told when to speak; the answer is a bound. */
const asksFor = 'bound';

/**
 * Takes off a goal, or a change, what it says of when to look again, and leaves the rest to `next`, which has to account
 * for every word of it. What comes back is looked at again and again.
 */
export function watchFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const { change, replan, catalogue } = input;
      const said = change?.words ?? boundedGoal(input);
      if (replan !== null || looksLikeNotation(said, catalogue)) return next.plan(input);
      const text = readText(said, input, lexiconFor(catalogue));
      const watched = readWatch(text, input.now, catalogue.defaults.timezone ?? 'UTC');
      if (change !== null) return watched === null ? next.plan(input) : refusal('out_of_scope', noWatch);
      if (watched === null || watched.rest === '') return onceOnly(await next.plan(input), text, input);
      if (!isWhole(watched)) return refusal('out_of_scope', inMinutes);
      const answers = input.answers.filter(({ missing }) => !missing.includes(asksFor));
      const reply = await next.plan({ ...input, answers, goal: watched.rest, watched: true });
      const answer = answerOf(reply, watched, input);
      // "tell me when …" asks for a moment where nothing says how it would be noticed.
      if (watched.waits && answer === asksForBound) return next.plan(input);
      return { ...reply, answer };
    },
  };
}

/** A bound that was asked for stands where it would have been said. */
function boundedGoal({ goal, answers }: PlanningInput): string {
  const bound = answers.findLast(({ missing }) => missing.includes(asksFor))?.answer;
  if (bound === undefined) return goal;
  const isState = /^(?:when|if|once)\b/i.test(bound);
  return `${goal.replace(/[\s.]+$/, '')}, ${isState ? 'tell me ' : ''}${withNumber(bound)}`;
}

function isWhole({ times: { every } }: Watched): boolean {
  return 'cron' in every || Number.isInteger(every.minutes);
}

const refusal = (reason: 'out_of_scope' | 'no_tool', explanation: string): PlannerReply => ({
  answer: { kind: 'refuse', reason, explanation },
  ...{ planner: 'offline', confidence: 1, usage: null, notes: [] },
});

const inMinutes = 'A watch looks at whole minutes. Say it in minutes, such as “every 5 minutes”.';
const noWatch = 'A card cannot become a watch. Ask for it again, with “every 10 minutes”.';
const notLater =
  'I can’t do something once, later. I can do it now, or look again and again, as in “every 30 minutes …” or “every day at 17:00 …”.';

/** What is asked for once, later, is never offered as now; what waits for something says that it is looked at once. */
function onceOnly(reply: PlannerReply, text: Text, { catalogue }: PlanningInput): PlannerReply {
  const { answer } = reply;
  if (answer.kind === 'clarify' && isOnceLater(text)) return refusal('no_tool', notLater);
  if (answer.kind !== 'plan' || reply.planner === 'person' || !waitsFor(text)) return reply;
  const isWaiting = answer.plan.steps.some(
    ({ when, tool }) => when !== undefined && catalogue.manifests.get(tool)?.effect === 'write',
  );
  const note = 'Looked at once, now; for again and again say how often, as in “every 10 minutes”.';
  const assumptions = [...answer.plan.assumptions, ...(isWaiting ? [note] : [])];
  return { ...reply, answer: { ...answer, plan: { ...answer.plan, assumptions } } };
}

const asksForBound: PlannerAnswer = {
  kind: 'clarify',
  question: 'At what number should I report it?',
  missing: [asksFor],
  options: ['over 10', 'over 20', 'over 50'],
};

/** One ticket has no number: it is waited for. */
const asksForState: PlannerAnswer = {
  kind: 'clarify',
  question: 'When should I report it: when it is done, or when it breaches its SLA?',
  missing: [asksFor],
  options: ['when it is done', 'when it breaches its SLA'],
};

/** Whether a watch has something to say: a condition, or at its times what is found. */
function speaks(
  { steps, success }: Pick<Plan, 'steps' | 'success'>,
  watched: Watched,
  { catalogue: { manifests } }: PlanningInput,
): boolean {
  const writes = steps.filter(({ tool }) => manifests.get(tool)?.effect === 'write');
  const tells =
    writes.length > 0 && writes.every(({ tool }) => manifests.get(tool)?.asked?.role === 'message');
  const isTold = tells && writes.length < steps.length && !watched.isGuess;
  return 'cron' in watched.times.every || isTold || isConditional({ steps, success } as Plan, manifests);
}

/** Each plan with its times; one in which nothing says when to speak is none. */
function answerOf({ answer }: PlannerReply, watched: Watched, input: PlanningInput): PlannerAnswer {
  const { times, isGuess } = watched;
  const guess = `Looks ${cadenceWords(times.every)}, because the request does not say how often.`;
  const watchOf = (plan: Plan): Plan[] =>
    speaks(plan, watched, input)
      ? [
          {
            ...plan,
            goal: input.goal,
            assumptions: [...plan.assumptions, ...(isGuess ? [guess] : [])],
            watch: times,
          },
        ]
      : [];
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'plan') {
    const [plan] = watchOf(answer.plan);
    const isOne = answer.plan.steps.every(({ args }) => args.key !== undefined);
    return plan ? { kind: 'plan', plan } : isOne && !watched.waits ? asksForState : asksForBound;
  }
  const before = answer.offers ?? [];
  const offers = before.flatMap(({ option, plan }) => watchOf(plan).map((one) => ({ option, plan: one })));
  const isDropped = (name: string): boolean =>
    before.some(({ option }) => option === name) && !offers.some(({ option }) => option === name);
  return { ...answer, offers, options: answer.options.filter((option) => !isDropped(option)) };
}
