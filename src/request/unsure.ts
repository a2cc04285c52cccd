import type { Message, Say } from '../blocks/message.ts';
import { asksFor } from '../core/question-words.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import { latest, revisionOf } from '../store/revisions.ts';
import type { RequestContext } from './context.ts';
import { isForTheBot } from './decisions.ts';
import { questionBelowCard, stepsInWords } from './step-question.ts';
import { arrivalOf, type Heard, type ThreadMessage } from './thread-message.ts';
import { changeNotUnderstood, replyAfterwards, replyNotUnderstood } from './words.ts';

/** Replies without a mention that are neither an answer nor surely a change: a question, a remark, or talk between people. */

const talk: Heard = { kind: 'talk' };
const done: Heard = { kind: 'done' };

/** A reply, and whether its thread has nothing newer that it could be about. */
type Reply = ThreadMessage & { readonly isLast: boolean };

/** A question that people ask at once when they read an answer; few type its question mark. */
const asksAgain = (words: string): boolean =>
  /^[^@]{0,66}$/u.test(words) &&
  (/^and(?!\p{L}).*\?$/isu.test(words) || asksFor(words.replace(/^since /iu, '')));

/**
 * Below an answer a question of its own is answered in the thread. The requester hears that one, or what may be a change,
 * was not understood: silence would look as if it were being done. So does anyone alone with the bot. Anything else is talk.
 */
export async function heardUnsure(
  request: StoredRequest,
  words: string,
  message: Reply & { readonly isPerhaps: boolean },
  context: RequestContext,
  say: Say,
): Promise<Heard> {
  const row = await latest(context.db, context.teamId, request.id);
  const isAnswer = row?.state === 'answered';
  const isOfRequester = message.userId === request.requester;
  if (!isAnswer && !isOfRequester) return talk;
  const isQuestion = await context.isQuestion(request, words);
  if (isAnswer && isQuestion) return { kind: 'request', arrival: arrivalOf(message) };
  if (!isOfRequester) return talk;
  const isMeant = message.isPerhaps || (isAnswer && asksAgain(words));
  const isAlone = message.isLast && (!isMeant || isQuestion) && (await isForTheBot(words, message, context));
  if (isAlone && isQuestion) return { kind: 'request', arrival: arrivalOf(message) };
  if (!isMeant && !isAlone) return talk;
  await say(
    isAnswer || row === null
      ? replyNotUnderstood(words, await context.nearest(words))
      : notUnderstoodBelow(revisionOf(row), words, null, context),
  );
  return done;
}

/** A question, also one that begins after another word: “wait, why them”. */
const asksAbout = (words: string): boolean => words.trimEnd().endsWith('?') || asksFor(words, 3);

/** To a reply below a card that changes nothing: what the plan does, for a question, or else replies that would change it. */
export function notUnderstoodBelow(
  revision: Revision,
  words: string,
  why: string | null,
  { catalogue, changesOf }: Pick<RequestContext, 'catalogue' | 'changesOf'>,
): Message {
  return why === null && asksAbout(words)
    ? questionBelowCard(words, stepsInWords(revision, catalogue.manifests))
    : changeNotUnderstood(words, why, changesOf(revision.sealed.plan));
}

/**
 * Below a plan that was decided, runs or ran there is nothing to change. To a person alone with the bot a question is
 * answered, and so is a request that was given up on and is typed again; anything else gets a private word.
 */
export async function heardAfter(
  request: StoredRequest,
  words: string,
  message: Reply,
  context: RequestContext,
  say: Say,
): Promise<Heard> {
  const isTheirs = message.userId === request.requester && message.isLast && !message.mentioned;
  if (!isTheirs || !(await isForTheBot(words, message, context))) return talk;
  const isAsked =
    request.state === 'refused'
      ? await context.isOwnRequest(request, words)
      : await context.isQuestion(request, words);
  if (isAsked) return { kind: 'request', arrival: arrivalOf(message) };
  await say(replyAfterwards(words, await context.nearest(words)));
  return done;
}
