import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { namesOf } from '../core/catalogue.ts';
import { cutWords, oneLine } from '../core/clean-text.ts';
import { describeError, VendorError } from '../core/errors.ts';
import { targetKinds } from '../core/fields.ts';
import { type Finding, findingLine } from '../core/finding.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import { suggest } from '../core/suggest.ts';
import { print } from '../notation/print.ts';
import { answerAgent } from '../store/agents.ts';
import { problemAt } from '../store/alerts.ts';
import { pastAnswers } from '../store/learning-data.ts';
import { questionToPost, queued } from '../store/outbox-messages.ts';
import { get, setState } from '../store/requests.ts';
import type { TeamDb } from '../store/tables.ts';
import type { RequestContext } from './context.ts';
import { asked, readConversation, unusedIn, withUnused } from './conversation.ts';
import { misread } from './help.ts';
import { questionMessage } from './question.ts';
import { askedAgain, mayBeNear, notPlannable, notUnderstoodAs, refused, unusedTwice } from './words.ts';

type Question = Extract<PlannerReply['answer'], { kind: 'clarify' }>;

/** Slack's limit for the text of a button. */
const maxLabel = 75;

/**
 * Asks in the channel, or in the thread of the request, with buttons for likely answers. A probable typo in one of the
 * bot's own words is not asked in public: only the person who typed it is told.
 */
export async function ask(
  request: Request,
  reply: PlannerReply,
  turn: Turn,
  context: RequestContext,
  say: Say,
): Promise<void> {
  const { db, teamId, catalogue, nearest, now, kick } = context;
  if (reply.answer.kind !== 'clarify') throw new TypeError('only a question can be asked');
  const notation = (plan: Plan) => print(plan, catalogue.manifests);
  // Nobody in the channel knows what an agent meant.
  if (request.agent && turn.basedOn === null) return askAgent(request, reply.answer, notation, db);
  const { id, goal, threadTs } = request;
  const [stored, { options, labels }] = await Promise.all([
    get(db, teamId, id),
    offered(reply.answer, request, context),
  ]);
  if (stored === null) return;
  const before = readConversation(stored.question);
  const key = `question:${id}:${sha256(turn.cause).slice(0, 12)}`;
  // Asked by this same delivery, whose process died before it was done.
  if (before.open?.key === key) return kick();
  const mistyped = stored.question === null ? misread(goal, reply.answer) : null;
  if (mistyped !== null) {
    await setState(db, { teamId, id, to: 'refused' });
    return say(notUnderstoodAs(mistyped));
  }
  const unused = unusedIn(stored.question, reply.answer);
  if (unused?.before === true) {
    await setState(db, { teamId, id, to: 'refused' });
    return say(unusedTwice(unused.answer));
  }
  const answer = { ...reply.answer, options, ...(unused && { question: askedAgain(unused) }) };
  const question = unused === null ? stored.question : withUnused(stored.question);
  // The ones after the first stand below it, where they are answered.
  const isApart = turn.basedOn !== null && before.ts === null;
  const isLost = answer.missing[0] === 'goal' && answer.options.length === 0;
  const beside = { key, notes: reply.notes, labels, nearest: isLost ? await nearest(goal) : [] };
  const message = questionMessage(stored, answer, beside);
  const post = questionToPost(stored, key, { threadTs: isApart ? null : (threadTs ?? before.ts), message });
  await setState(db, {
    ...{ teamId, id, to: 'asking', question: asked(question, answer, key, notation) },
    // The requester may have stopped the planning.
    ...(turn.basedOn === null && turn.change === null ? { from: ['planning'] } : {}),
    message: queued(post, now()),
  });
  kick();
}

interface Offered {
  readonly options: readonly string[];
  /** How an answer reads on its button, where that is more than the answer. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The likely answers to a question, the most likely first. */
async function offered(question: Question, request: Request, context: RequestContext): Promise<Offered> {
  const { options, labels } = await choices(question, request, context);
  return { options: await usualFirst({ ...question, options }, request, context), labels };
}

/** Milliseconds for which a question waits for the incidents it may offer. */
const incidentsMs = 4_000;
const maxIncidents = 5;

/**
 * Likely answers, and how they read on a button: where an incident is asked for, those that are open, and in the thread
 * of an alert those of its service first.
 */
async function choices(
  { options, missing }: Question,
  { channel, threadTs }: Request,
  { db, teamId, openIncidents, log }: RequestContext,
): Promise<Offered> {
  if (options.length > 0 || missing[0] !== 'incident') return { options, labels: new Map() };
  try {
    const all = await openIncidents(AbortSignal.timeout(incidentsMs));
    const alert = threadTs === null ? null : await problemAt(db, { teamId, channel, threadTs });
    const [own = [], others = []] = [true, false].map((isOwn) =>
      all.filter(({ service }) => (service === alert?.service) === isOwn),
    );
    const labels = [...own, ...others]
      .slice(0, maxIncidents)
      .map(({ number, service, title }): [string, string] => [
        `#${number}`,
        cutWords(oneLine(`#${number} ${service ?? ''}: ${title}`), maxLabel),
      ]);
    return { options: labels.map(([option]) => option), labels: new Map(labels) };
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn(describeError(error), 'The open incidents could not be looked up');
    return { options, labels: new Map() };
  }
}

/** Most buttons of a question. */
const maxOptions = 5;

/**
 * The names that a question offers, those first that the person chose most often when the same was asked, then those
 * chosen in this channel. Only what is offered changes: nothing is answered for anybody. Where the request has a word
 * like one of them, likeness comes first.
 */
async function usualFirst(
  { options, missing: [slot = 'goal'] }: Question,
  { teamId, requester, channel, goal }: Request,
  { db, catalogue }: RequestContext,
): Promise<readonly string[]> {
  const kind = targetKinds.find((one) => one === slot);
  const names = kind === undefined ? [] : namesOf(catalogue, kind);
  const isLike = (word: string) => suggest(word.replaceAll(/[^\p{L}\p{N}_-]/gu, ''), options) !== null;
  if (names.length === 0 || options.length === 0 || goal.split(/\s+/).some(isLike)) return options;
  const past = await pastAnswers(db, { teamId, requester, channel, missing: slot });
  // A button may have had a whole plan behind it.
  const weights = past.map(({ answer, isOwn }) => ({
    words: new Set(answer.toLowerCase().split(/[\s="]+/)),
    weight: isOwn ? past.length + 1 : 1,
  }));
  const weightOf = (option: string): number =>
    weights.reduce((sum, { words, weight }) => sum + (words.has(option.toLowerCase()) ? weight : 0), 0);
  const usual = names.filter((option) => weightOf(option) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  return [...new Set([...usual, ...options])].slice(0, Math.max(options.length, maxOptions));
}

/** The question is the agent's status, and it answers there. */
async function askAgent(
  { teamId, id }: Request,
  answer: Question,
  notation: (plan: Plan) => string,
  db: TeamDb['db'],
): Promise<void> {
  const { question, options } = answer;
  const likely = options.length === 0 ? '' : ` Likely answers: ${options.join('; ')}.`;
  const before = await get(db, teamId, id);
  await answerAgent(db, { teamId, id }, { code: 'question', message: `${question}${likely}` });
  const open = asked(before?.question ?? null, answer, null, notation);
  await setState(db, { teamId, id, to: 'asking', from: ['planning'], question: open });
}

/** Reports the planner's refusal and its reason. */
export async function refuse(
  { id, goal }: Request,
  { answer, notes }: PlannerReply,
  { db, teamId, nearest }: RequestContext,
  say: Say,
): Promise<void> {
  if (answer.kind !== 'refuse') throw new TypeError('only a refusal can be refused');
  const stored = await get(db, teamId, id);
  await setState(db, { teamId, id, to: 'refused' });
  const why = [answer.explanation, ...notes].join(' ');
  const instead = mayBeNear(answer.reason) ? await nearest(goal) : [];
  if (stored?.agent && stored.state === 'planning') {
    const message = instead.length === 0 ? why : `${why} Nearest to it: ${instead.join('; ')}.`;
    return answerAgent(db, stored, { code: answer.reason, message });
  }
  const mistyped = stored?.question === null ? misread(goal, answer) : null;
  if (mistyped !== null)
    return say(notUnderstoodAs(mistyped, mayBeNear(answer.reason) ? null : answer.explanation));
  await say(refused(answer.reason, why, instead));
}

/** Reports the review's findings to the person; an open card stays open. */
export async function reject(
  { id, agent }: Request,
  findings: readonly Finding[],
  { db, teamId }: TeamDb,
  say: Say,
): Promise<void> {
  const isClosed = await setState(db, { teamId, id, to: 'refused', from: ['planning'] });
  if (isClosed && agent) {
    const message = findings.map(findingLine).join('\n');
    return answerAgent(db, { teamId, id }, { code: findings[0]?.rule ?? 'bad_plan', message });
  }
  await say(notPlannable(findings));
}

/** Planning failed: closes the request. */
export async function broke({ id }: Request, error: unknown, { db, teamId }: TeamDb): Promise<never> {
  await setState(db, { teamId, id, to: 'refused', from: ['planning'] });
  throw error;
}
