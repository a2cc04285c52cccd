import { effectOf } from '../core/code-step.ts';
import type { Blank } from '../core/missing-input.ts';
import type { PlanDraft } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import { isOver, type Request } from '../core/request.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { emptyWords } from './everyday/empty-words.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { tokenize } from './everyday/tokens.ts';
import { type PlanPort, planningInput } from './planning.ts';
import { takesBack } from './refine.ts';

/** The open question of a request. */
export interface OpenQuestion {
  readonly missing: readonly string[];
  readonly options: readonly string[];
  readonly blank?: Blank | undefined;
}

/** Slots whose answers are taken as they are said; so are those of a field of Jira, which has a name of its own. */
const takesAnyWords = (slot: string): boolean =>
  ['text', 'summary', 'description', 'query'].includes(slot) || /[\p{Lu} ]/u.test(slot);
/** How sure the planner must be that words are a request, where any words may be the answer. */
const surely = 0.9;
/** How sure it must be where the words are meant for the bot. */
const likely = 0.6;

/**
 * Whether words under a question are clearly a new request: they order or ask for something other than the question's
 * subject. Rephrasing the same request answers the question, and so does any request where one was asked for.
 */
export async function isNewRequest(
  request: Request,
  { missing, options, blank }: OpenQuestion,
  words: string,
  port: PlanPort,
): Promise<boolean> {
  const slot = missing[0] ?? 'goal';
  if (slot === 'goal' || slot === 'rest' || isOver(words) || options.includes(words)) return false;
  if (looksLikeNotation(words, port.catalogue)) return true;
  if (isOnlyNames(words, port) || takesBack(words, port.catalogue)) return false;
  const isText = takesAnyWords(slot);
  const own = await port.offline.plan(planningInput({ ...request, goal: words, quoted: null }, {}, port));
  const tools = toolsOf(own);
  if (own.answer.kind === 'refuse') return !isText && own.answer.reason !== 'out_of_scope';
  if (isText && !isOrder(own, port)) return false;
  if (tools.size === 0) return asksForMore(own);
  if (own.answer.kind === 'plan' && own.answer.plan.watch !== undefined) return true;
  const input = planningInput(request, { answers: (await port.conversation(request.id)).answers }, port);
  const before =
    blank === undefined
      ? toolsOf(await port.offline.plan(input))
      : new Set(blank.plan.steps.map(({ tool }) => tool));
  return !tools.isSubsetOf(before) && !before.isSubsetOf(tools);
}

/** The beginning of a reply that is about the answer above it: “only 5xx” is no question of its own. */
const narrows =
  /^(?:only|just|but|not|no|without|except|nur|ohne|seulement|sans|solo|sólo|sin|só|sem)(?!\p{L})/iu;

/** Whether words below an answer, which may be talk, surely ask for something that can be looked up. */
export async function isQuestion(request: Request, words: string, port: PlanPort): Promise<boolean> {
  if (narrows.test(words)) return false;
  const asked = planningInput({ ...request, goal: words, quoted: null }, {}, port);
  const { answer, confidence } = await port.offline.plan(asked);
  const plans = plansOf(answer);
  return (
    plans.length > 0 &&
    confidence >= surely &&
    plans.every(({ steps }) => steps.every(({ tool }) => effectOf(tool, port.catalogue.manifests) === 'read'))
  );
}

/** The plan of an answer, or those that differ only in the one name it asks for. */
function plansOf(answer: PlannerReply['answer']): readonly PlanDraft[] {
  if (answer.kind === 'plan') return [answer.plan];
  const isName = answer.kind === 'clarify' && answer.missing[0] !== 'goal';
  return isName ? (answer.offers ?? []).map(({ plan }) => plan) : [];
}

/** Whether words to the bot in a thread ask for something of their own, whatever else is waiting there. */
export async function isOwnRequest(request: Request, words: string, port: PlanPort): Promise<boolean> {
  const hasIncident = (await port.incidentsOfThread(request)).length > 0;
  const asked = planningInput({ ...request, goal: words, quoted: null }, { hasIncident }, port);
  const { answer, confidence } = await port.offline.plan(asked);
  return answer.kind === 'plan' && confidence >= likely;
}

/** A plan that acts or checks repeatedly: a mere question may be the very text that was asked for. */
function isOrder({ answer, confidence }: PlannerReply, { catalogue }: PlanPort): boolean {
  if (answer.kind !== 'plan' || confidence < surely) return false;
  const { watch, steps } = answer.plan;
  return watch !== undefined || steps.some(({ tool }) => effectOf(tool, catalogue.manifests) === 'write');
}

/** An order that lacks a thing: "close the ticket". */
const asksForMore = ({ answer }: PlannerReply): boolean =>
  answer.kind === 'clarify' && answer.missing[0] !== 'goal';

const choosing = new Set(['use', 'take', 'make', 'pick', 'try', 'meant']);

/** "OPS", "the payments one", "use OPS please": a name, and no request. */
function isOnlyNames(words: string, { catalogue }: PlanPort): boolean {
  const tokens = withNames(words, tokenize(words), nameIndex(catalogue));
  return tokens.every(
    ({ kind, low, names }) =>
      kind !== 'word' || emptyWords.has(low) || choosing.has(low) || Object.keys(names).length > 0,
  );
}

/** The tools of a plan, or of the likeliest plan behind a question. */
function toolsOf({ answer }: PlannerReply): Set<string> {
  const plan =
    answer.kind === 'plan'
      ? answer.plan
      : answer.kind === 'clarify'
        ? (answer.blank?.plan ?? answer.offers?.[0]?.plan)
        : undefined;
  return new Set(plan?.steps.map(({ tool }) => tool));
}
