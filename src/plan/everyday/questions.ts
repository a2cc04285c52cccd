import type { Offer, PlannerAnswer } from '../../core/answer.ts';
import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import { cut } from '../../core/clean-text.ts';
import type { TargetKind } from '../../core/fields.ts';
import { filledPlan } from '../../core/missing-input.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlanningInput, ReviewDraft } from '../../core/planning.ts';
import { byLikeness } from '../../core/suggest.ts';
import { planTitle } from '../../core/title.ts';
import { buttonsOf, choiceOf, planWords, type Question } from '../offer-labels.ts';
import type { Lack } from './draft.ts';

/** More buttons would be a menu. */
export const maxOffers = 3;

const questions: Readonly<Record<string, string>> = {
  service: 'Which service is this about?',
  project: 'Which Jira project is this about?',
  channel: 'Which channel or person should get it?',
  user: 'Who should get it?',
  key: 'Which ticket do you mean? For example, OPS-12.',
  incident: 'Which PagerDuty incident do you mean? Its number or its service is enough.',
  space: 'Which Confluence space should it go to?',
  status: 'Which status should it move to?',
  text: 'What should it say?',
  summary: 'What is it about?',
  query: 'What should I search for?',
  code: 'Which error code or message is it?',
  threshold: 'From what number on?',
  ticket_or_incident: 'Is that a Jira ticket or a PagerDuty incident?',
  contradiction: 'That asks for a thing and its opposite. Which one is it?',
};
const fallback = 'I’m not sure what you want. What should I look up or do?';

const listed: readonly string[] = ['service', 'project', 'channel', 'user', 'space'];

/** One question about the missing part, with possible names. */
export function questionFor(
  { slot, said, among }: Pick<Lack, 'slot' | 'said' | 'among'>,
  input: PlanningInput,
): Question {
  const { catalogue } = input;
  const kind = listed.find((one) => one === slot) as TargetKind | undefined;
  const names = among ?? (kind === undefined ? [] : namesOf(catalogue, kind));
  const person = slot === 'service' ? pagedByName(input, said) : undefined;
  const question =
    person !== undefined
      ? `I can only page the on-call of a service, not ${person} by name. Which service?`
      : said === undefined
        ? (questions[slot] ?? fallback)
        : `I don’t know any ${slot === 'key' ? 'project' : slot} called “${said}”. Which one do you mean?`;
  const options = (said === undefined ? names : byLikeness(names, said)).slice(0, 5);
  return { kind: 'clarify', question, missing: [slot === 'what' ? 'goal' : slot], options };
}

/** The last question, where its answer led nowhere. */
export function stillOpen(input: PlanningInput): Question | null {
  const slot = input.answers.at(-1)?.missing[0] ?? 'goal';
  return slot === 'goal' || slot === 'rest' ? null : questionFor({ slot }, input);
}

/** The person or group that is to be paged: "page @sre". */
function pagedByName({ goal, catalogue }: PlanningInput, said = goal): string | undefined {
  const page = [...catalogue.manifests.values()].find(({ asked }) => asked?.role === 'page');
  const words = goal.split(/\s+/u);
  const isVerb = (word = ''): boolean => page?.asked?.verbs.includes(word.toLowerCase()) === true;
  const at = words.findIndex((word, nth) => /^@\p{L}/u.test(word) && isVerb(words[nth - 1]));
  const asked = /^@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u.exec(words[at] ?? '')?.[0];
  return asked !== undefined && said.includes(asked) ? asked : undefined;
}

/** The plan's text to people, in quotation marks; empty if it consists of results. */
function dictated({ steps }: Plan): string {
  const said = steps.map(({ args }) => args.text ?? args.summary).find((text) => typeof text === 'string');
  return said === undefined ? '' : `: “${String(said)}”`;
}

/** Plans as buttons with distinct labels. */
export function offersOf(plans: readonly Plan[], { manifests }: Pick<Catalogue, 'manifests'>): Offer[] {
  const offers = new Map<string, Plan>();
  for (const plan of plans) {
    const plain = planWords(plan, manifests);
    const words = offers.has(plain) ? planWords(plan, manifests, dictated(plan)) : plain;
    if (!offers.has(words) && offers.size < maxOffers) offers.set(words, plan);
  }
  return buttonsOf([...offers.values()], [...offers.keys()]);
}

/** A question without plans to choose from. */
export const askOpenly = (question: string = fallback): Question => choiceOf(question, 'goal', []);

/** A question with plans to choose from; names the words that none of them carries. */
export function askWith(
  plans: readonly Plan[],
  catalogue: Pick<Catalogue, 'manifests'>,
  {
    question,
    lost = [],
  }: { readonly question?: string | undefined; readonly lost?: readonly string[] | undefined } = {},
): Question {
  const offers = offersOf(plans, catalogue);
  const unplaced = lost.length === 0 ? '' : `I’m not sure about ${quotedWords(lost)}. `;
  const which =
    offers.length === 0
      ? 'What should I look up or do?'
      : offers.length === 1
        ? 'Is this what you want? If not, say it in other words.'
        : 'Which of these do you mean? If none, say it in other words.';
  const words = question ?? (offers.length === 0 && unplaced === '' ? fallback : unplaced + which);
  return choiceOf(words, 'goal', offers);
}

/** A question about the only missing thing: names become buttons with the whole plan, words are taken verbatim. */
export function blankQuestion(
  lack: Lack,
  { plan, lacks }: { readonly plan: Plan; readonly lacks: readonly Lack[] },
  input: PlanningInput,
  review: ReviewDraft,
): PlannerAnswer {
  const isMe = lack.arg === 'service' && /(?:^|\s)me(?:\s|$|[.,!?])/iu.test(input.goal);
  const step = plan.steps.find(({ id }) => id === lack.id);
  const question = { ...questionFor(lack, input), ...(isMe ? { missing: ['service', 'me'] } : {}) };
  if (lacks.length > 1 || step === undefined) return question;
  const blank = { plan, planner: 'offline', step: step.id, arg: lack.arg, item: null } as const;
  if (isDictated(lack.arg)) return { ...question, blank };
  const offers = question.options.flatMap((option) => {
    const filled = review(filledPlan(blank, option), input).plan;
    return filled === null
      ? []
      : [{ option, plan: { ...filled, summary: planTitle(filled.steps, input.catalogue.manifests) } }];
  });
  return { ...question, offers };
}

const isDictated = (arg: string): boolean => arg === 'text' || arg === 'summary';

const refusals: Readonly<Record<string, string>> = {
  dangerous:
    'I don’t do that: it is too broad, or it would change or give away data. Name the single things it is about.',
  injection: 'That asks me to work around my own rules, so I did nothing.',
  no_tool: 'I have no tool for that.',
  out_of_scope:
    'That’s not something I do. I plan incident work: tickets, on-call, incidents, logs, runbooks and messages.',
};

export const refusal = (reason: Extract<PlannerAnswer, { kind: 'refuse' }>['reason']): PlannerAnswer => ({
  ...{ kind: 'refuse', reason, explanation: refusals[reason] ?? refusals.no_tool ?? '' },
});

/** A refusal that names the words nothing here is asked with, where there are such. */
export const notUnderstoodIn = (words: readonly string[]): PlannerAnswer => ({
  ...{ kind: 'refuse', reason: 'not_understood' },
  explanation:
    words.length === 0
      ? 'I know these words, but not in this form.'
      : `I don’t know what to do about ${quotedWords(words)}.`,
});

const quotedWords = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => `“${cut(word, 40)}”`)
    .join(', ');

/** A plan needs a tool that is not set up. */
export const refusalWithout = (tool: string, { unconfigured }: Catalogue): PlannerAnswer => {
  const lacks = unconfigured.get(tool);
  const explanation = lacks === undefined ? (refusals.no_tool ?? '') : `${tool} needs ${lacks}.`;
  return { kind: 'refuse', reason: 'not_configured', explanation };
};
