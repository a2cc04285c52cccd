import type { Message, Say } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import { get, setState } from '../store/requests.ts';
import { latest, revisionOf } from '../store/revisions.ts';
import type { TeamDb } from '../store/tables.ts';
import type { RequestContext } from './context.ts';
import { placeOf, readConversation, withAnswer } from './conversation.ts';
import { answeredMessage, readAnswerValue } from './question.ts';
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
  // Answered by this same delivery, whose process died before planning.
  if (open === null) return answers.at(-1)?.key === key ? next(request, by, key, context) : null;
  if (answers.length >= maxAnswers) {
    await setState(db, { teamId, id, to: 'refused', from: ['asking'] });
    await say(tooManyAnswers());
    return null;
  }
  const at = now().toISOString();
  const moved = await setState(db, {
    teamId,
    id,
    to: 'planning',
    from: ['asking', 'planning'],
    question: withAnswer(question, { answer: text, by, at, key }),
    ...(question === null ? {} : { asked: question }),
  });
  if (!moved) return null;
  const ts = placeOf(conversation) ?? clicked;
  if (ts !== null) await close(request, ts, answeredMessage(request.goal, open.question, text, by), context);
  return next(request, by, key, context);
}

/** Closes the open question of a request that was made anew in other words. */
export async function restate(
  request: StoredRequest,
  text: string,
  by: string,
  context: RequestContext,
): Promise<void> {
  const { db, teamId } = context;
  const { id, goal, question } = request;
  const conversation = readConversation(question);
  const ts = placeOf(conversation);
  const moved = await setState(db, { teamId, id, to: 'refused', from: ['asking'] });
  if (!moved || conversation.open === null || ts === null) return;
  await close(request, ts, answeredMessage(goal, conversation.open.question, text, by), context);
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

/** The answer counts even if the question can no longer be updated: somebody may have deleted it. */
async function close(
  { id, channel }: StoredRequest,
  ts: string,
  message: Message,
  { slack, log }: RequestContext,
): Promise<void> {
  try {
    await slack.update({ channel, ts, message, key: `question:${id}` });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn({ request: id, ...describeError(error) }, 'An answered question could not be closed');
  }
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
  if (chosen === null || request === null || !isFor(request, { key, ts, text: chosen.text })) {
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

/** True for a button of the open question, and for the click that answered it. */
function isFor(
  { question, state }: StoredRequest,
  { key, ts, text }: Pick<AnswerClick, 'key' | 'ts'> & { readonly text: string },
): boolean {
  const conversation = readConversation(question);
  const { open, answers } = conversation;
  const stored = placeOf(conversation);
  if (open === null) return answers.at(-1)?.key === key;
  const isOpen = state === 'asking' ? stored === ts : state === 'planning' && stored === null;
  return isOpen && open.options.includes(text);
}
