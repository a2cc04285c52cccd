import type { Offer, PlannerAnswer } from '../../core/answer.ts';
import { namesOf } from '../../core/catalogue.ts';
import type { TargetKind } from '../../core/fields.ts';
import { cut } from '../../core/inert.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlannerReply } from '../../core/planning.ts';
import { byLikeness } from '../../core/suggest.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { nearestTo } from './clauses/search.ts';
import type { Given, Need } from './steps/memory.ts';
import { is, type Text, wholePhrases, wordsOf } from './words/text.ts';

type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

/** More buttons than these are a menu. */
const maxOffers = 3;
/** Slack's bound for the text of a button. */
const maxLabel = 75;

/** What a workspace has a list of. */
const kinds: readonly TargetKind[] = ['service', 'project', 'channel', 'user'];

const whatIs: Readonly<Record<string, string>> = {
  service: 'Which service is this about?',
  project: 'Which Jira project is this about?',
  channel: 'Which channel or person should get it?',
  key: 'Which ticket do you mean? For example, OPS-12.',
  incident: 'Which PagerDuty incident do you mean? Its number or its service is enough.',
  status: 'Which status should it move to?',
  assignee: 'Whose tickets do you mean?',
  text: 'What should it say?',
  summary: 'What is it about?',
  query: 'What should I search for?',
  condition: 'What is the condition? Tell me what to check, and the number or state that counts.',
  contradiction: 'These conditions can’t both be true. Which one should I use?',
  conflict: 'You asked me to do this and also not to do it. Which one is it?',
};

/** What a plan says to people, in quotation marks; empty where that is made of results. */
const wordsIn = ({ steps }: Plan): string => {
  const said = steps.map(({ args }) => args.text ?? args.summary).find((text) => typeof text === 'string');
  return typeof said === 'string' ? `: “${said}”` : '';
};

/** Plans as buttons: those that lack and omit nothing, each with words of its own. `isSaid`: what a look-up leaves out is said. */
function offersOf(candidates: readonly Candidate[], isSaid: boolean): Offer[] {
  const offers = new Map<string, Candidate>();
  const isFit = ({ composed: { needs, omits, steps } }: Candidate): boolean =>
    needs.length === 0 && (!omits || (isSaid && steps.every(({ tool }) => tool.effect === 'read')));
  for (const one of candidates.filter(isFit)) {
    const [plain, whole] = ['', wordsIn(one.plan)].map((words) => cut(one.plan.summary + words, maxLabel));
    const taken = offers.get(plain ?? '');
    const isSame = taken !== undefined && wordsIn(taken.plan) === wordsIn(one.plan);
    const isPlain = !one.composed.isGuess && (taken === undefined || isSame);
    const option = isPlain ? plain : whole;
    if (option !== undefined && !offers.has(option) && offers.size < maxOffers) offers.set(option, one);
  }
  return [...offers].map(([option, { plan }]) => ({ option, plan }));
}

/** A question with plans to choose from. */
export function asking(
  words: string,
  missing: string,
  candidates: readonly Candidate[] = [],
  isSaid = false,
): Question {
  const offers = offersOf(candidates, isSaid);
  const options = offers.map(({ option }) => option);
  return { kind: 'clarify', question: words, missing: [missing], options, offers };
}

export type Reply = Pick<PlannerReply, 'answer' | 'confidence'> & Partial<Pick<PlannerReply, 'planner'>>;

export const ask = (
  words: string,
  missing: string,
  confidence: number,
  candidates: readonly Candidate[] = [],
): Reply => ({ answer: asking(words, missing, candidates), confidence });

/** Names that may be the answer: those of the workspace, the closest to what was said first, or those in the text. */
function namesFor(text: Text, { missing, said = '', options = [] }: Need): readonly string[] {
  const kind = kinds.find((one) => one === missing);
  const listed = kind === undefined ? [] : namesOf(text.catalogue, kind);
  if (text.watched) return [...options, ...listed];
  if (options.length > 0) return options;
  if (missing.startsWith('priority')) return ['P1', 'P2', 'P3'];
  if (said !== '') return byLikeness(listed, said);
  if (!text.catalogue.open) return listed;
  return text.words.flatMap(({ things }) =>
    things.filter((one) => one.kind === kind).map(({ value }) => value),
  );
}

/** What is asked about one thing that is missing, strange or at odds with itself. */
export function wordsFor({ kind, missing, said = '', options = [] }: Need, isWatched: boolean): string {
  if (kind === 'change') return said;
  const person = kind === 'me' ? 'you' : said;
  if (kind === 'me' && isWatched && options.length > 0)
    return `You are on call for ${options.join(' and ')} now, but when the watch finds something it may be somebody else. Which service should it page?`;
  if (kind === 'me' || (missing === 'service' && said.startsWith('@')))
    return `I can only page the on-call of a service, not ${person} by name. Which service should I page?`;
  if (kind === 'limit')
    return `countersign.yml has no SLA limit for ${said}. How many open tickets are too many?`;
  if (kind === 'strange')
    return `I don’t know any ${missing.replace(/_not$/u, '')} called “${said}”. Which one do you mean?`;
  if (kind === 'exclude') return `I can leave out only one ${missing.replace(/_not$/u, '')}. Which one?`;
  if (kind === 'either') return `Which one do you mean: ${options.join(' or ')}?`;
  if (kind === 'conflict') return whatIs[missing === 'condition' ? 'contradiction' : kind] ?? '';
  return whatIs[missing] ?? `What should ${missing} be?`;
}

/** The question about a need; its plans are those that the likeliest names make. */
function askFor(need: Need, candidates: readonly Candidate[], text: Text, given: Given): Question {
  const names = namesFor(text, need);
  const named = [...new Set(names)]
    .slice(0, maxOffers)
    .flatMap((name) => candidatesFor(text, new Map([...given, [need.missing, name]])).slice(0, 1));
  const asked = asking(wordsFor(need, text.watched), need.missing, named.length > 0 ? named : candidates);
  if (need.kind === 'me') return { ...asked, missing: [need.missing, 'me'] };
  // Where one name alone makes no plan, it is still the next thing to say.
  return asked.options.length > 0 ? asked : { ...asked, options: names.slice(0, maxOffers) };
}

/** Words of the request that stand next to each other are named together. */
export function named(text: Text, left: readonly number[]): string {
  const runs: number[][] = [];
  for (const index of wholePhrases(text, left))
    if (runs.at(-1)?.at(-1) === index - 1) runs.at(-1)?.push(index);
    else runs.push([index]);
  const [last, ...others] = runs
    .slice(0, 3)
    .map((run) => `“${cut(wordsOf(text, run), 60)}”`)
    .reverse();
  return [...(others.length > 0 ? [others.reverse().join(', ')] : []), last].join(' or ');
}

const sayAgain = 'Could you say it another way?';

/** The same question where none of its buttons is left. */
export const withoutButtons = (question: string): string =>
  question.replace(/(?:Did you mean (?:this|one of these)\?|Is this what it should say\?).*$/u, sayAgain);

/** What to ask about a request whose best reading is not the whole of it. */
export function questionAbout(candidates: readonly Candidate[], text: Text, given: Given): Question {
  const [best] = candidates;
  if (!best) {
    const nearest = nearestTo(text).flatMap((reading) => candidatesFor(text, given, [reading]));
    nearest.sort((a, b) => b.composed.score - a.composed.score);
    const asked = asking('I’m not sure what you want. Is it one of these?', 'goal', nearest);
    const words =
      'What should I look up or do? For example: “count open P1 tickets in OPS” or “page ops”. Type /plan help for more.';
    return asked.options.length > 0 ? asked : asking(words, 'goal');
  }
  const { left, needs } = best.composed;
  if (best.composed.loose && left.length === 0 && needs.length === 0)
    return asking(
      'Should that depend on what is found? If so, tell me when: for example “if there are more than 5”.',
      'condition',
      candidates,
    );
  if (best.composed.isGuess && left.length === 0 && needs.length === 0)
    return asking('Is this what it should say?', 'text', candidates);
  if (needs[0] && left.length === 0) return askFor(needs[0], candidates, text, given);
  const words = named(text, left);
  const isBound = left.every((index) => is(text, index, 'vague'));
  if (isBound && best.plan.steps.some(({ when }) => when !== undefined))
    return asking(`How many is ${words}? Just give me a number.`, 'bound');
  const asked = asking('', 'goal', candidates);
  const meant = asked.options.length === 1 ? 'this' : 'one of these';
  const ask =
    asked.options.length > 0 ? `Did you mean ${meant}? If not, please say it another way.` : sayAgain;
  return { ...asked, question: `I didn’t understand ${words}. ${ask}` };
}
