import type { Offer, PlannerAnswer } from '../core/answer.ts';
import { cadenceWords } from '../core/cadence.ts';
import type { Manifest } from '../core/manifest.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { isConditional } from '../core/watch.ts';
import { readWatchClause, type WatchClause } from './watch-clause.ts';

/** What is missing until a watch is told when to speak; the answer is a bound. */
const asksFor = 'bound';

/**
 * Takes off a goal what it says of when to look again, and leaves the rest to `next`, which has to account for every word
 * of it. What comes back is looked at again and again.
 */
export function watchFirst(next: Planner): Planner {
  return {
    async plan(input) {
      const isFresh = input.change === null && input.replan === null;
      const clause =
        isFresh && !looksLikeNotation(input.goal, input.catalogue)
          ? readWatchClause(withBound(input), input.now, input.catalogue.defaults.timezone ?? 'UTC')
          : null;
      if (clause === null || clause.rest === '') return next.plan(input);
      if (!isWhole(clause)) return refusal;
      const answers = input.answers.filter(({ missing }) => !missing.includes(asksFor));
      // Who is on call when a watch speaks is not known yet.
      const reply = await next.plan({ ...input, answers, goal: goalOf(clause), onCallFor: [] });
      return { ...reply, answer: answerOf(reply, clause, input) };
    },
  };
}

function isWhole({ times: { every } }: WatchClause): boolean {
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

/** A bound that was asked for stands where it would have been said. */
function withBound({ goal, answers }: PlanningInput): string {
  const said = answers.findLast(({ missing }) => missing.includes(asksFor));
  return said === undefined ? goal : `${goal.replace(/[\s.]+$/, '')}, ${said.answer}`;
}

function goalOf({ rest, bound }: WatchClause): string {
  if (bound === null) return rest;
  const when = `if there are ${bound.words} ${bound.of}`;
  return bound.act === null ? `let me know ${when}` : `${when}, ${bound.act}`;
}

function answerOf(
  { answer }: PlannerReply,
  clause: WatchClause,
  { goal, catalogue, onCallFor = [] }: PlanningInput,
): PlannerAnswer {
  const watchOf = (plan: Plan): Plan | null => watched({ ...plan, goal }, clause, catalogue.manifests);
  if (answer.kind === 'refuse') return answer;
  if (answer.kind === 'plan') {
    const plan = watchOf(answer.plan);
    return plan === null ? asksForBound : { kind: 'plan', plan };
  }
  const offers = (answer.offers ?? []).map(({ option, plan }) => ({ option, plan: watchOf(plan) }));
  const dropped = new Set(offers.flatMap(({ option, plan }) => (plan === null ? [option] : [])));
  return ownFirst(
    {
      ...answer,
      options: answer.options.filter((option) => !dropped.has(option)),
      offers: offers.flatMap(({ option, plan }) => (plan === null ? [] : [{ option, plan }])),
    },
    onCallFor,
  );
}

type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

/** "page me": the services of which whoever asks is on call now come first. */
function ownFirst(asked: Question, onCallFor: readonly string[]): Question {
  if (onCallFor.length === 0 || !asked.missing.includes('me')) return asked;
  const isOwn = ({ plan }: Offer): boolean =>
    plan.steps.some(({ args }) =>
      Object.values(args).some((value) => onCallFor.some((own) => own === value)),
    );
  const offers = asked.offers ?? [];
  const own = new Set(offers.filter(isOwn).map(({ option }) => option));
  const sorted = (options: readonly string[]): string[] => [
    ...options.filter((option) => own.has(option)),
    ...options.filter((option) => !own.has(option)),
  ];
  const options = sorted(asked.options);
  return {
    ...asked,
    question: `You are on call for ${onCallFor.join(' and ')} now; when the watch speaks it may be somebody else. Which service should it page?`,
    options,
    offers: [...offers].sort((a, b) => options.indexOf(a.option) - options.indexOf(b.option)),
  };
}

/** The plan with its times; null where nothing in it says when to speak. */
function watched(
  plan: Plan,
  { times, isGuess, bound }: WatchClause,
  manifests: ReadonlyMap<string, Manifest>,
): Plan | null {
  const told = bound !== null && bound.act === null ? kept(plan, bound.words, manifests) : plan;
  if (told === null || !('cron' in times.every || isConditional(told, manifests))) return null;
  const guess = `Looks ${cadenceWords(times.every)}, because the request does not say how often.`;
  return { ...told, assumptions: [...told.assumptions, ...(isGuess ? [guess] : [])], watch: times };
}

const asksForBound: PlannerAnswer = {
  kind: 'clarify',
  question: 'At what number should I report it?',
  missing: [asksFor],
  options: ['over 10', 'over 20', 'over 50'],
};

const operators: Readonly<Record<string, string>> = {
  'more than': '<=',
  'at least': '<',
  'less than': '>=',
  'at most': '>',
};

/** The plan with what should hold as its criterion; null when it counts nothing, or more than one thing. */
function kept(plan: Plan, words: string, manifests: ReadonlyMap<string, Manifest>): Plan | null {
  const [, word = '', number = ''] = /^(.*) (\d+)$/.exec(words) ?? [];
  const counted = plan.steps.flatMap(({ id, tool }) => {
    const manifest = manifests.get(tool);
    return manifest?.measures === true && manifest.main !== undefined ? [`${id}.${manifest.main}`] : [];
  });
  const [field] = counted;
  if (field === undefined || counted.length > 1 || operators[word] === undefined) return null;
  return { ...plan, success: [...plan.success, `${field} ${operators[word]} ${number}`] };
}
