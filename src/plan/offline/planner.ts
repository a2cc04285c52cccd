import type { PlannerAnswer } from '../../core/answer.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import { cut } from '../../core/inert.ts';
import { planLimits } from '../../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../../core/planning.ts';
import { nearPlaybook } from '../playbooks/near.ts';
import type { Playbook } from '../playbooks/playbook.ts';
import { createPlaybookSearch } from '../playbooks/search.ts';
import { isOver, saidIn, withAnswers } from './answers.ts';
import { type Candidate, candidatesFor, close, unavailable } from './candidates.ts';
import { fromChange } from './change/change.ts';
import { argsThatTake } from './frames/takes.ts';
import { ask, asking, questionAbout, type Reply } from './questions.ts';
import { refusalOf } from './refusals.ts';
import type { Given } from './steps/memory.ts';
import { foreignLanguage } from './words/language.ts';
import { type Lexicon, lexiconFor } from './words/lexicon.ts';
import { is, isAlone, readText, type Text } from './words/text.ts';

/** Tokens of the longest request that is read word by word. */
const maxTokens = 250;
const tooLong = ask(
  'That is too long to read word by word. What should be done, in a sentence or two?',
  'goal',
  0.6,
);

/** What a plan changes, and when. Two readings that look something up in different ways need no question. */
function changes({ plan }: Candidate, { lexicon }: Text): string {
  return JSON.stringify(
    plan.steps.flatMap(({ tool, args, when }) => {
      const manifest = lexicon.tools.get(tool);
      if (manifest?.effect !== 'write') return [];
      const told = argsThatTake(manifest, 'message');
      const said = Object.entries(args).filter(([arg]) => !told.includes(arg));
      return [[tool, said, when?.replace(/\w+\./gu, '')]];
    }),
  );
}

const isClose = (best: Candidate, other: Candidate): boolean =>
  other.whole === best.whole && best.composed.score - other.composed.score < close;

/** Of readings that are as good as each other, the one that can run here comes first: there may be one log system. */
function withWhatIsThere(candidates: readonly Candidate[], catalogue: Catalogue): readonly Candidate[] {
  const [best] = candidates;
  const runs = candidates.find((one) => best && isClose(best, one) && !unavailable(one.plan, catalogue));
  return runs === undefined
    ? candidates
    : [runs, ...candidates.filter((one) => one !== runs && one !== best)];
}

function decide(text: Text, given: Given, catalogue: Catalogue): Reply {
  const candidates = withWhatIsThere(candidatesFor(text, given), catalogue);
  const [best, second] = candidates;
  const limit = best && best.composed.left.length === 0 ? null : refusalOf(text, catalogue.manifests, true);
  if (limit) return beyond(limit, candidates);
  if (!best) return nothingFound(text);
  const sure = best.composed.left.length === 0;
  const lacking = unavailable(best.plan, catalogue);
  if (lacking && sure) return { answer: lacking, confidence: 0.9 };
  const { length } = best.plan.steps;
  const tooMany = `That would be ${length} steps; a plan has at most ${planLimits.steps}. What matters most?`;
  if (length > planLimits.steps) return ask(tooMany, 'goal', 0.8);
  if (best.whole && second && isClose(best, second) && changes(best, text) !== changes(second, text)) {
    const whole = candidates.filter((one) => one.whole);
    return ask('This can be read in more than one way. Which one do you mean?', 'goal', 0.6, whole);
  }
  if (best.whole) return { answer: { kind: 'plan', plan: best.plan }, confidence: 0.95 };
  // Where only a value is missing, everything was understood: a model would have to ask for it, too.
  return { answer: questionAbout(candidates, text, given), confidence: sure ? 0.9 : 0.4 };
}

/** What no look-up can do is said, with what comes near to it. */
function beyond(limit: Extract<PlannerAnswer, { kind: 'refuse' }>, candidates: readonly Candidate[]): Reply {
  if (limit.reason === 'out_of_scope') return { answer: limit, confidence: 0.95 };
  const asked = asking(`${limit.explanation} Would one of these help?`, 'goal', candidates, true);
  return asked.options.length > 0 ? { answer: asked, confidence: 0.4 } : { answer: limit, confidence: 0.6 };
}

/** A request in which nothing is an order or a look-up: it is asked about where it speaks of what this bot does. */
function nothingFound(text: Text): Reply {
  const isOurs = text.words.some(
    (_word, index) =>
      is(text, index, 'thing', 'verb write', 'trouble') || isAlone(text, index, 'noun', 'also', 'pronoun'),
  );
  if (isOurs || text.words.length < 3) return { answer: questionAbout([], text, new Map()), confidence: 0.3 };
  const explanation =
    'That’s not something I do. I plan incident work: tickets, on-call, incidents, logs, runbooks and messages.';
  return { answer: { kind: 'refuse', reason: 'out_of_scope', explanation }, confidence: 0.6 };
}

/** "Plan from this message": the message is the text; what to do with it is asked. */
const shortcutGoal = 'Plan from this message';
const shortcutWays = ['Page the on-call', 'Create a ticket', 'Post it to a channel'];
const shortcut: Reply = {
  answer: { ...asking('What should I do with this message?', 'goal'), options: shortcutWays },
  confidence: 0.9,
};

/** The answer is a request of its own: the goal was done in part, and planned anew it would repeat that. */
const rest: Reply = {
  answer: { ...asking('What should I do about the rest of the plan?', 'goal'), missing: ['rest', 'goal'] },
  confidence: 0.05,
};

const over: Reply = {
  answer: { kind: 'refuse', reason: 'out_of_scope', explanation: 'OK, dropped.' },
  confidence: 0.95,
};

/** A line that a monitor wrote, and nothing else. */
function pastedAlone(text: Text): string | null {
  const [first, ...rest] = text.words.filter(({ kind }) => kind !== 'mark');
  return first?.kind === 'pasted' && rest.length === 0 ? first.raw : null;
}

function planGoal(input: PlanningInput, lexicon: Lexicon, library: Library | null): Reply {
  const { goal, quoted, catalogue, answers, change } = input;
  const texts = new Map<string, Text>();
  const read = (words: string): Text => {
    const text = texts.get(words) ?? readText(words, input, lexicon);
    texts.set(words, text);
    return text;
  };
  // What is left after a failure needs judgement: planning the goal anew would repeat writes that were made.
  if (input.replan !== null) return rest;
  if (change !== null) return fromChange(read(change.words), catalogue);
  const said = [goal, ...answers.map(({ answer }) => answer)];
  if (said.some((one) => one.length > planLimits.goal)) return tooLong;
  const alone = pastedAlone(read(goal));
  const isMessage = alone !== null || (goal === shortcutGoal && quoted !== null);
  if (isMessage && answers.length === 0) return shortcut;
  const { text, given } = withAnswers(input, read);
  const last = read(said.at(-1) ?? goal);
  if (isOver(last)) return over;
  const refused = (answers.length > 0 ? [...saidIn(input).map(read), text] : [text])
    .map((one) => refusalOf(one, catalogue.manifests))
    .find((one) => one !== null);
  if (refused && refused.reason !== 'no_tool') return { answer: refused, confidence: 0.95 };
  if (text.words.length > maxTokens) return tooLong;
  // "kick off an incident": what no tool does a playbook may do.
  const vetted = fromPlaybook(text, given, input, library);
  if (vetted) return vetted;
  if (refused) return { answer: refused, confidence: 0.95 };
  const language = foreignLanguage(text);
  if (language !== null)
    return ask(
      `That looks like ${language}. Without a model I read English only; plan notation and playbooks work in any case. Could you say it in English?`,
      'goal',
      0.5,
    );
  const message = cut(quoted?.trim() ?? alone ?? '', 3_000);
  const known = new Map(given);
  if (message !== '' && !known.has('text')) known.set('text', message);
  if (input.hasIncident) known.set('thread', 'thread');
  return decide(text, known, catalogue);
}

type Library = ReturnType<typeof createPlaybookSearch>;

/** The playbook that a goal resembles. Only vetted plans are taken without a closer look at the words. */
function fromPlaybook(text: Text, given: Given, input: PlanningInput, search: Library | null): Reply | null {
  if (input.catalogue.open || search === null) return null;
  const near = nearPlaybook(text, search(text.goal, 12), input, { lexicon: text.lexicon, given });
  if (near === null || (near.kind === 'plan' && unavailable(near.plan, input.catalogue))) return null;
  return { answer: near, confidence: 0.95, planner: 'playbook' };
}

export interface OfflineOptions {
  /** Vetted plans that a goal may match. */
  readonly playbooks: readonly Playbook[];
}

/** Plans without a model: words, grammar and the catalogue. The same goal always gives the same answer. */
export function createOfflinePlanner({ playbooks }: OfflineOptions): Planner {
  const library = playbooks.length > 0 ? createPlaybookSearch(playbooks) : null;
  return {
    plan(input: PlanningInput): Promise<PlannerReply> {
      const { planner = 'offline', ...reply } = planGoal(input, lexiconFor(input.catalogue), library);
      return Promise.resolve({ ...reply, planner, usage: null, notes: [] });
    },
  };
}
