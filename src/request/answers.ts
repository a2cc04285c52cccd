import { refusalMessage } from '../approval/private-words.ts';
import type { Message } from '../blocks/message.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Say } from '../pipeline.ts';
import { tooManyAnswers } from '../report/private.ts';
import { answeredMessage, readAnswerValue } from './question.ts';
import * as requests from '../store/requests.ts';
import type { RequestRow } from '../store/tables.ts';
import type { ActionEvent } from '../vendors/slack/events.ts';
import { readConversation, turnAfter, withAnswer } from './conversation.ts';
import type { HandlerDeps } from '../app/handler-deps.ts';
import { isFirst } from '../app/once.ts';
import { mayTalk } from '../app/people.ts';
import type { World } from '../app/world.ts';

/** Answers to questions about one request; after that many it is quicker to ask in other words. */
const mostAnswers = 10;

/** An answer to the open question, from whoever may give it; `ts` is where the question stands, when that is known. */
export async function answer(
  { world, pipeline, intake }: HandlerDeps,
  row: RequestRow,
  text: string,
  { by, key, ts: known = null }: { by: string; key: string; ts?: string | null },
  say: Say,
): Promise<void> {
  const { db, teamId, now } = world;
  const { open, ts: stored, answers } = readConversation(row.question);
  const ts = stored ?? known;
  const next = withAnswer(row.question, { answer: text, by, at: now().toISOString() });
  if (next === null || open === null || !(await isFirst(world, key))) return;
  if (answers.length >= mostAnswers) {
    await requests.setState(db, { teamId, id: row.id, to: 'refused', from: ['asking'] });
    return say(tooManyAnswers());
  }
  await intake.during(row.id, async () => {
    const moved = await requests.setState(db, {
      teamId,
      id: row.id,
      to: 'planning',
      from: ['asking', 'planning'],
      question: next,
      ...(row.question === null ? {} : { asked: row.question }),
    });
    if (!moved) return;
    if (ts !== null) await closeQuestion(world, row, ts, answeredMessage(row.goal, open.question, text, by));
    await pipeline.proceed(row, await turnAfter(world, row.id, by), say);
  });
}

/** The answer counts although the question can no longer be changed: somebody may have deleted it. */
async function closeQuestion(
  { gateway, log }: World,
  { id, channel }: RequestRow,
  ts: string,
  message: Message,
): Promise<void> {
  try {
    await gateway.update({ channel, ts, message, key: `question:${id}` });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn({ request: id, ...describeError(error) }, 'An answered question could not be closed');
  }
}

/** A button under a question. */
export async function answerClicked(deps: HandlerDeps, event: ActionEvent, say: Say): Promise<void> {
  const { world } = deps;
  const { db, teamId } = world;
  const chosen = readAnswerValue(event.value);
  const row = chosen === null ? null : await requests.get(db, teamId, chosen.requestId);
  const { open, ts } = readConversation(row?.question ?? null);
  const clickedTs = event.message?.ts ?? null;
  const isOpen = row?.state === 'asking' ? ts === clickedTs : row?.state === 'planning' && ts === null;
  if (chosen === null || row === null || !isOpen || !open?.options.includes(chosen.text)) {
    return say(refusalMessage({ code: 'not_ours' }));
  }
  if (await mayTalk(world, event.actor, say)) {
    await answer(deps, row, chosen.text, { by: event.actor.userId, key: event.key, ts: clickedTs }, say);
  }
}
