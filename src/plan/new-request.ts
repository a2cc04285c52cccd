import { effectOf, onlyReads } from '../core/code-step.ts';
import type { Blank } from '../core/missing-input.ts';
import type { PlanDraft } from '../core/plan.ts';
import type { PlannerReply, PlanningInput } from '../core/planning.ts';
import { isOver, type Request } from '../core/request.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { emptyWords } from './everyday/empty-words.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { tokenize } from './everyday/tokens.ts';
import { type AboutThread, type PlanPort, planningInput } from './planning.ts';
import { takesBack } from './replies/refine.ts';

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

/** A request besides the one in question, or instead of it. */
export type NewRequest = 'besides' | 'instead' | 'no';

/**
 * Whether words under a question are clearly a new request: they order or ask for something other than the question's
 * subject. Rephrasing the same request answers the question, and so does any request where one was asked for; if they
 * only make sense by themselves, they take the place of the request.
 */
export async function isNewRequest(
  request: Request,
  { missing, options, blank }: OpenQuestion,
  words: string,
  port: PlanPort,
): Promise<NewRequest> {
  const slot = missing[0] ?? 'goal';
  const isGoal = slot === 'goal' || slot === 'rest';
  if (isOver(words) || options.includes(words)) return 'no';
  if (looksLikeNotation(words, port.catalogue)) return isGoal ? 'no' : 'besides';
  if (isOnlyNames(words, port) || takesBack(words, port.catalogue)) return 'no';
  const isText = takesAnyWords(slot);
  const about = await port.aboutThread(request);
  const own = await port.offline.plan(planningInput({ ...request, goal: words, quoted: null }, about, port));
  if (isText && !isOrder(own, port)) return 'no';
  const { answers } = await port.conversation(request.id);
  if (!isGoal && (await isOther(own, { request, slot, blank, about, answers }, port))) return 'besides';
  if (blank !== undefined || own.answer.kind !== 'plan' || own.confidence < surely) return 'no';
  const answered = [...answers, { question: '', missing: [...missing], answer: words }];
  const { answer } = await port.offline.plan(planningInput(request, { ...about, answers: answered }, port));
  return answer.kind === 'plan' ? 'no' : 'instead';
}

interface Asking {
  readonly request: Request;
  readonly slot: string;
  readonly blank: Blank | undefined;
  readonly about: AboutThread;
  readonly answers: PlanningInput['answers'];
}

/** Whether the plan of words does something other than the plan that a question is about. */
async function isOther(
  own: PlannerReply,
  { request, slot, blank, about, answers }: Asking,
  port: PlanPort,
): Promise<boolean> {
  const tools = toolsIn(plansBehind(own)[0], port);
  if (own.answer.kind === 'refuse') return !takesAnyWords(slot) && own.answer.reason !== 'out_of_scope';
  if (tools.size === 0) return asksForMore(own);
  if (own.answer.kind === 'plan' && own.answer.plan.watch !== undefined) return true;
  const asked =
    blank === undefined
      ? plansBehind(await port.offline.plan(planningInput(request, { ...about, answers }, port)))
      : [blank.plan];
  // The plan in question is not known yet, but it will have what is asked for.
  if (asked.length === 0)
    return (
      own.answer.kind === 'plan' &&
      own.confidence >= surely &&
      !own.answer.plan.steps.some(({ args }) => Object.hasOwn(args, slot))
    );
  return asked
    .map((plan) => toolsIn(plan, port))
    .every((before) => !tools.isSubsetOf(before) && !before.isSubsetOf(tools));
}

/** The beginning of a reply that is about the answer above it: “only 5xx” is no question of its own. */
const narrows =
  /^(?:only|just|but|not|no|without|except|nur|ohne|seulement|sans|solo|sólo|sin|só|sem)(?!\p{L})/iu;

/** Whether words below an answer, which may be talk, surely ask for something that can be looked up. */
export async function isQuestion(request: Request, words: string, port: PlanPort): Promise<boolean> {
  if (narrows.test(words)) return false;
  const about = await port.aboutThread(request);
  const asked = planningInput({ ...request, goal: words, quoted: null }, about, port);
  const own = await port.offline.plan(asked);
  // Plans behind a question may differ only in the one name that it asks for.
  const isUnclear = own.answer.kind === 'clarify' && own.answer.missing[0] === 'goal';
  const plans = isUnclear ? [] : plansBehind(own);
  return (
    plans.length > 0 &&
    own.confidence >= surely &&
    plans.every(({ steps }) => onlyReads(steps, port.catalogue.manifests))
  );
}

/** Whether words to the bot in a thread ask for something of their own, whatever else is waiting there. */
export async function isOwnRequest(request: Request, words: string, port: PlanPort): Promise<boolean> {
  const asked = planningInput(
    { ...request, goal: words, quoted: null },
    await port.aboutThread(request),
    port,
  );
  const { answer, confidence } = await port.offline.plan(asked);
  return answer.kind === 'plan' && confidence >= likely;
}

/** A plan that acts or checks repeatedly: a mere question may be the very text that was asked for. */
function isOrder({ answer, confidence }: PlannerReply, { catalogue }: PlanPort): boolean {
  if (answer.kind !== 'plan' || confidence < surely) return false;
  const { watch, steps } = answer.plan;
  return watch !== undefined || !onlyReads(steps, catalogue.manifests);
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

/** The plan of a reply, or the plans behind its question, likeliest first. */
function plansBehind({ answer }: PlannerReply): PlanDraft[] {
  if (answer.kind === 'refuse') return [];
  if (answer.kind === 'plan') return [answer.plan];
  return answer.blank ? [answer.blank.plan] : (answer.offers ?? []).map(({ plan }) => plan);
}

/** The tools of the writes of a plan, for which its reads are; of its reads if it has no write. */
function toolsIn(plan: PlanDraft | undefined, { catalogue }: PlanPort): Set<string> {
  const tools = (plan?.steps ?? []).map(({ tool }) => tool);
  const writes = tools.filter((tool) => effectOf(tool, catalogue.manifests) === 'write');
  return new Set(writes.length > 0 ? writes : tools);
}
