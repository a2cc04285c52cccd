import type { Message, Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import { questionToChange, queued } from '../store/outbox-messages.ts';
import { get, setState } from '../store/requests.ts';
import { latest, revisionOf } from '../store/revisions.ts';
import type { TeamDb } from '../store/tables.ts';
import type { RequestContext } from './context.ts';
import { placeOf, readConversation, withAnswer } from './conversation.ts';
import { type AnswerValue, answeredMessage, notUsed, readAnswerValue } from './question.ts';
import { notOurButton, tooManyAnswers } from './words.ts';

/** Maximum answers to questions about one request; after that, rephrasing the request is quicker. */
const maxAnswers = 10;

/** Who answers, the delivery, and the location of the question if known. */
interface By {
  readonly by: string;
  readonly key: string;
  readonly ts?: string | null;
}

/**
 * Handles an answer to the open question by a person who may give it. Leads to a first plan, or to the next one if the
 * question followed a run. Null when there is nothing to plan.
 */
export async function answer(
  request: StoredRequest,
  text: string,
  { by, key, ts: clicked = null }: By,
  context: RequestContext,
  say: Say,
): Promise<NextTurn<StoredRequest> | null> {
  const { db, teamId, now } = context;
  const { id, question } = request;
  const conversation = readConversation(question);
  const { open, answers } = conversation;
  // Answered by this same delivery, whose process died before planning, or before it was done.
  const isRepeated = answers.at(-1)?.key === key;
  if (open === null || isRepeated)
    return open === null && isRepeated ? next(request, by, key, context) : null;
  if (answers.length >= maxAnswers) {
    await setState(db, { teamId, id, to: 'refused', from: ['asking'] });
    await say(tooManyAnswers());
    return null;
  }
  const at = now().toISOString();
  const ts = clicked ?? placeOf(conversation);
  const isMoved = await setState(db, {
    teamId,
    id,
    to: 'planning',
    from: ['asking'],
    question: withAnswer(question, { answer: text, by, at, key }, ts),
    ...(question === null ? {} : { asked: question }),
    message: answered(request, ts, answeredMessage(request.goal, open.question, text, by), context),
  });
  if (!isMoved) {
    await tellWhoWasFaster(request, key, context, say);
    return null;
  }
  context.kick();
  return next(request, by, key, context);
}

/** Somebody else answered, or closed the question, while this answer arrived; the same answer again needs no word. */
async function tellWhoWasFaster(
  { id, question }: StoredRequest,
  key: string,
  { db, teamId }: TeamDb,
  say: Say,
): Promise<void> {
  const { answers } = readConversation((await get(db, teamId, id))?.question ?? null);
  const last = answers.at(-1);
  const isNew = answers.length > readConversation(question).answers.length;
  if (last?.key !== key) await say(notUsed(isNew ? (last?.by ?? null) : null));
}

/** Closes the open question of a request that was made anew in other words. */
export async function restate(
  request: StoredRequest,
  text: string,
  by: string,
  context: RequestContext,
): Promise<void> {
  const { db, teamId, kick } = context;
  const { id, goal, question } = request;
  const conversation = readConversation(question);
  const words = answeredMessage(goal, conversation.open?.question ?? '', text, by);
  const message = answered(request, placeOf(conversation), words, context);
  if (await setState(db, { teamId, id, to: 'refused', from: ['asking'], message })) kick();
}

async function next(
  request: StoredRequest,
  by: string,
  cause: string,
  { db, teamId }: TeamDb,
): Promise<NextTurn<StoredRequest>> {
  const newest = await latest(db, teamId, request.id);
  const basedOn = newest && revisionOf(newest);
  const first = firstTurn(by, cause);
  return { request, turn: basedOn === null ? first : { ...first, basedOn, replaces: false } };
}

/** The question with its answer and without its buttons; undefined where it was not asked in Slack. */
function answered(
  request: StoredRequest,
  ts: string | null,
  message: Message,
  { now }: Pick<RequestContext, 'now'>,
): OutboxMessage | undefined {
  return ts === null ? undefined : queued(questionToChange(request, ts, message), now());
}

/** A click on a button under a question. */
export interface AnswerClick extends Who {
  readonly key: string;
  readonly value: string;
  /** Slack's timestamp of the message with the button. */
  readonly ts: string | null;
}

/** Null after telling the person why there is nothing to plan. */
export async function answerClicked(
  { key, value, ts, ...who }: AnswerClick,
  context: RequestContext,
  say: Say,
): Promise<NextTurn<StoredRequest> | null> {
  const { db, teamId, mayAsk, maySee } = context;
  const chosen = readAnswerValue(value);
  const request = chosen && (await get(db, teamId, chosen.requestId));
  if (chosen === null || request === null || !isFor(request, { key, ts, ...chosen })) {
    await say(notOurButton());
    return null;
  }
  if (!(await mayAsk(who, say))) return null;
  if (!(await maySee(who.userId, request.id))) {
    await say(notOurButton());
    return null;
  }
  return answer(request, chosen.text, { by: who.userId, key, ts }, context, say);
}

/** True for a button of the open question, and for the click that answered the last one. */
function isFor(
  { question, state }: StoredRequest,
  { key, ts, text, question: named }: Pick<AnswerClick, 'key' | 'ts'> & AnswerValue,
): boolean {
  const conversation = readConversation(question);
  const { open, answers } = conversation;
  if (answers.at(-1)?.key === key) return true;
  if (open === null || state !== 'asking' || !open.options.includes(text)) return false;
  return named === undefined ? placeOf(conversation) === ts : named === open.key;
}
