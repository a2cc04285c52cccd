import type { Message, Say } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Who } from '../core/person.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import { readConversation, withAnswer } from './conversation.ts';
import type { RequestBook } from './ports.ts';
import { answeredMessage, readAnswerValue } from './question.ts';
import { tooManyAnswers } from './words.ts';

/** Maximum answers to questions about one request; after that, rephrasing the request is quicker. */
const maxAnswers = 10;

export interface AnswersPort {
  readonly requests: RequestBook;
  /** Only full members may answer; others are told so. */
  mayAsk(who: Who, say: Say): Promise<boolean>;
  /** True for the requester, and for members of the channel where it is discussed. */
  maySee(userId: string, requestId: string): Promise<boolean>;
  /** The newest revision of a request, or null before its first. */
  newest(requestId: string): Promise<Revision | null>;
  update(of: { channel: string; ts: string; message: Message; key: string }): Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

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
  port: AnswersPort,
  say: Say,
): Promise<NextTurn<StoredRequest> | null> {
  const { id, question } = request;
  const { open, ts: stored, answers } = readConversation(question);
  // Answered by this same delivery, whose process died before planning.
  if (open === null) return answers.at(-1)?.key === key ? next(request, by, key, port) : null;
  if (answers.length >= maxAnswers) {
    await port.requests.move({ id, to: 'refused', from: ['asking'] });
    await say(tooManyAnswers());
    return null;
  }
  const at = port.now().toISOString();
  const moved = await port.requests.move({
    id,
    to: 'planning',
    from: ['asking', 'planning'],
    question: withAnswer(question, { answer: text, by, at, key }),
    ...(question === null ? {} : { asked: question }),
  });
  if (!moved) return null;
  const ts = stored ?? clicked;
  if (ts !== null) await close(request, ts, answeredMessage(request.goal, open.question, text, by), port);
  return next(request, by, key, port);
}

async function next(
  request: StoredRequest,
  by: string,
  cause: string,
  port: AnswersPort,
): Promise<NextTurn<StoredRequest>> {
  const basedOn = await port.newest(request.id);
  const first = firstTurn(by, cause);
  return { request, turn: basedOn === null ? first : { ...first, basedOn, replaces: false } };
}

/** The answer counts even if the question can no longer be updated: somebody may have deleted it. */
async function close(
  { id, channel }: StoredRequest,
  ts: string,
  message: Message,
  { update, log }: AnswersPort,
): Promise<void> {
  try {
    await update({ channel, ts, message, key: `question:${id}` });
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

/** Null when the button is not for the open question (then `notOurs` is true), or the person may not answer. */
export async function answerClicked(
  { key, value, ts, ...who }: AnswerClick,
  port: AnswersPort,
  say: Say,
): Promise<NextTurn<StoredRequest> | 'not_ours' | null> {
  const chosen = readAnswerValue(value);
  const request = chosen === null ? null : await port.requests.get(chosen.requestId);
  if (chosen === null || request === null) return 'not_ours';
  const { open, ts: stored, answers } = readConversation(request.question);
  const isOpen = request.state === 'asking' ? stored === ts : request.state === 'planning' && stored === null;
  const isRepeated = open === null && answers.at(-1)?.key === key;
  if (!isRepeated && !(isOpen && open?.options.includes(chosen.text))) return 'not_ours';
  if (!(await port.mayAsk(who, say))) return null;
  if (!(await port.maySee(who.userId, request.id))) return 'not_ours';
  return answer(request, chosen.text, { by: who.userId, key, ts }, port, say);
}
