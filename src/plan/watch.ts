import type { PlannerAnswer } from '../core/answer.ts';
import { cadenceWords, type WatchTimes } from '../core/cadence.ts';
import { canonicalJson } from '../core/canonical.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import type { Plan, Step } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { withNumber } from './offline/answers.ts';
import { isOrdered, isSilent } from './offline/change/readings.ts';
import { withoutButtons } from './offline/questions.ts';
import { lexiconFor } from './offline/words/lexicon.ts';
import { is, readText, type Text } from './offline/words/text.ts';
import { isOnceLater, readWatch, type Watched, waitsFor } from './watch-times.ts';

/** What is missing until a watch is told when to speak; the answer is a bound. */
const asksFor = 'bound';

/**
 * Takes off a goal what it says of when to look again, and leaves the rest to `next`, which has to account for every word of
 * it. What comes back is looked at again and again. A change that says such a thing is refused: a card is no watch.
 */
export function watchFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const { change, replan, catalogue } = input;
      const said = change?.words ?? boundedGoal(input);
      if (replan !== null || looksLikeNotation(said, catalogue)) return next.plan(input);
      const text = readText(said, input, lexiconFor(catalogue));
      const watched = readWatch(text, input.now, catalogue.defaults.timezone ?? 'UTC');
      const isChange = change !== null;
      if (watched === null || (watched.rest === '' && !isChange))
        return isChange ? next.plan(input) : onceOnly(await next.plan(input), text, input);
      const { every } = watched.times;
      if (isChange && change.plan.watch === undefined) return refusal('out_of_scope', noWatch);
      if ('minutes' in every && !Number.isInteger(every.minutes)) return refusal('out_of_scope', inMinutes);
      if (isChange) return changed(next, input, change, watched);
      const answers = input.answers.filter(({ missing }) => !missing.includes(asksFor));
      const reply = await next.plan({ ...input, answers, goal: watched.rest, watched: true });
      const answer = answerOf(reply, watched, input);
      // "tell me when …" asks for a moment where nothing says how it would be noticed.
      if (watched.waits && answer === asksForBound) return next.plan(input);
      return { ...reply, answer };
    },
  };
}

/** A watch with other times, and then with what else was said of it. A card that looks once becomes none. */
async function changed(
  next: Planner,
  input: PlanningInput,
  { plan: before, words }: NonNullable<PlanningInput['change']>,
  { times, rest, isBare }: Watched,
): Promise<PlannerReply> {
  const conditions = [...before.success, ...before.steps.map(({ when = '' }) => when)];
  const isBound = isBare && conditions.some((cel) => /[<>=] \d/.test(cel));
  if (isBound && canonicalJson(times) === canonicalJson(before.watch)) return next.plan(input);
  if (isBound) return replyOf(asksWhich, 0.4);
  const guess = guessOf(before.watch ?? times);
  const plan = { ...before, watch: times, assumptions: before.assumptions.filter((one) => one !== guess) };
  const read = (said: string): Text => readText(said, input, lexiconFor(input.catalogue));
  const [said, more] = [read(words), read(rest)];
  if (!more.words.every((_word, at) => isSilent(more, at)))
    return next.plan({ ...input, change: { plan, words: rest } });
  // "we are here from 9 to 17" is talk.
  const isTalk = said.words.some((_word, at) => is(said, at, 'whoever asks', 'saying')) && !isOrdered(said);
  return replyOf({ kind: 'plan', plan }, isTalk ? 0.8 : 0.9);
}

const guessOf = ({ every }: WatchTimes): string =>
  `You did not say how often to look, so I look ${cadenceWords(every)}.`;

/** A bound that was asked for stands where it would have been said. */
function boundedGoal({ goal, answers }: PlanningInput): string {
  const bound = answers.findLast(({ missing }) => missing.includes(asksFor))?.answer;
  if (bound === undefined) return goal;
  const isState = /^(?:when|if|once)\b/i.test(bound);
  return `${goal.replace(/(?<![\s.])[\s.]+$/, '')}, ${isState ? 'tell me ' : ''}${withNumber(bound)}`;
}

const replyOf = (answer: PlannerAnswer, confidence: number): PlannerReply => ({
  ...{ answer, confidence, planner: 'offline', usage: null, notes: [] },
});

const refusal = (reason: 'out_of_scope' | 'no_tool', explanation: string): PlannerReply =>
  replyOf({ kind: 'refuse', reason, explanation }, 1);

const inMinutes = 'A watch looks every so many whole minutes. Say, for example, “every 5 minutes”.';
const noWatch =
  'I can’t turn a card into a watch. Ask again and say how often, for example “every 10 minutes”.';
const notLater =
  'I can’t do something once at a later time. I can do it now or keep checking, for example “every 30 minutes …” or “every day at 17:00 …”.';

/** What is asked for once, later, is never offered as now; what waits for something says that it is looked at once. */
function onceOnly(reply: PlannerReply, text: Text, { catalogue }: PlanningInput): PlannerReply {
  const { answer } = reply;
  const isWrite = ({ tool }: Step): boolean => catalogue.manifests.get(tool)?.effect === 'write';
  // "post the P1s to #ops at 17:00" asks for none that were created since then.
  const isTaken =
    answer.kind === 'plan' &&
    answer.plan.steps.some(isWrite) &&
    answer.plan.steps.some(({ args }) => /^\d\d:\d\d$/.test(String(args.since)));
  if ((answer.kind === 'clarify' || isTaken) && isOnceLater(text)) return refusal('no_tool', notLater);
  if (answer.kind !== 'plan' || reply.planner === 'person' || !waitsFor(text)) return reply;
  const isWaiting = answer.plan.steps.some((step) => step.when !== undefined && isWrite(step));
  const note = 'I check this once, now. To keep checking, say how often: for example “every 10 minutes”.';
  const assumptions = [...answer.plan.assumptions, ...(isWaiting ? [note] : [])];
  return { ...reply, answer: { ...answer, plan: { ...answer.plan, assumptions } } };
}

const asks = (question: string, ...options: readonly string[]): PlannerAnswer => ({
  ...{ kind: 'clarify', question, missing: [asksFor], options: [...options] },
});

const asksWhich = asks(
  'Is that when to look, or the limit? Say, for example, “every 15 minutes”, “at 8:00” or “over 15”.',
);
const asksForBound = asks('At what number should I tell you?', 'over 10', 'over 20', 'over 50');
/** One ticket has no number: it is waited for. */
const asksForState = asks(
  'When should I tell you: when it is done, or when it breaches its SLA?',
  'when it is done',
  'when it breaches its SLA',
);

/** Whether a watch has something to say: a condition, or at its times what is found. */
function speaks(plan: Plan, { times, isGuess, tells }: Watched, { catalogue }: PlanningInput): boolean {
  const tools = plan.steps.map(({ tool }) => catalogue.manifests.get(tool));
  const writes = tools.filter((tool) => tool?.effect === 'write');
  const isMessage = writes.length > 0 && writes.every((tool) => tool?.asked?.role === 'message');
  const isTold = (isMessage || (tells && writes.length === 0)) && writes.length < tools.length && !isGuess;
  return 'cron' in times.every || isTold || isConditional(plan, catalogue.manifests);
}

/** Each plan with its times; one in which nothing says when to speak is none. */
function answerOf({ answer }: PlannerReply, watched: Watched, input: PlanningInput): PlannerAnswer {
  const { times, isGuess, waits } = watched;
  const watchOf = (plan: Plan): Plan => ({
    ...plan,
    goal: input.goal,
    assumptions: [...plan.assumptions, ...(isGuess ? [guessOf(times)] : [])],
    watch: times,
  });
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'plan') {
    if (speaks(answer.plan, watched, input)) return { kind: 'plan', plan: watchOf(answer.plan) };
    const isOne = answer.plan.steps.every(({ args }) => args.key !== undefined);
    return isOne && !waits ? asksForState : asksForBound;
  }
  const { offers = [], question } = answer;
  // "… and message me if there is a new one": without its condition it would speak each time.
  const silent = offers.filter(({ plan }) => !speaks(plan, { ...watched, tells: false }, input));
  const options = answer.options.filter((name) => silent.every(({ option }) => option !== name));
  return {
    ...answer,
    question: options.length > 0 ? question : withoutButtons(question),
    offers: offers
      .filter((one) => !silent.includes(one))
      .map(({ option, plan }) => ({ option, plan: watchOf(plan) })),
    options,
  };
}
