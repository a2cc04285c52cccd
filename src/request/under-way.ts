import { setTimeout as pause } from 'node:timers/promises';
import { writeCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { describeError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import type { PlannerReply } from '../core/planning.ts';
import { type StoredRequest, showsDoing } from '../core/request.ts';
import { get, setState } from '../store/requests.ts';
import { underWayIn } from '../store/threads.ts';
import type { RequestContext } from './context.ts';
import { modelAtWork, nothingToStop, planningStopped } from './words.ts';

/** Milliseconds after which Slack shows that a plan is being made. */
const shownMs = 300;
/** Milliseconds after which the requester starts to wonder whether anything is happening. */
const quietMs = 3_000;

export async function awaitPlan(
  asked: StoredRequest,
  plan: Promise<PlannerReply>,
  context: RequestContext,
  say: Say,
): Promise<PlannerReply | null> {
  if (!showsDoing(asked) || asked.state !== 'planning') return awaitChange(plan, context, say);
  const { db, teamId } = context;
  const show = () => context.doing(asked, 'is planning…');
  const { result, isTold } = await withWord(plan, shownMs, show, context);
  // Before it was shown there was no stop button.
  const now = isTold ? await get(db, teamId, asked.id) : asked;
  return now?.state === 'closed' ? null : result;
}

export async function awaitChange<T>(plan: Promise<T>, context: RequestContext, say: Say): Promise<T> {
  if (!context.hasModel) return plan;
  return (await withWord(plan, quietMs, () => say(modelAtWork()), context)).result;
}

/** Waits for something, and tells its person when it takes a while: never after it has ended. */
async function withWord<T>(
  work: Promise<T>,
  afterMs: number,
  tell: () => Promise<void>,
  { log }: Pick<RequestContext, 'log'>,
): Promise<{ readonly result: T; readonly isTold: boolean }> {
  let [isDone, isTold] = [false, false];
  // The process may end meanwhile.
  const told = pause(afterMs, undefined, { ref: false }).then(async () => {
    if (isDone) return;
    isTold = true;
    await tell();
  });
  const heard = told.catch((error: unknown) =>
    log.warn(describeError(error), 'Could not tell the requester that a plan is slow'),
  );
  try {
    return { result: await work, isTold };
  } finally {
    isDone = true;
    if (isTold) await heard;
  }
}

/** Slack's stop button, which it shows in a thread while the bot is at work there. */
export interface StopClick extends Who {
  readonly channel: string;
  readonly threadTs: string;
}

/** A click on the stop button of a card. */
export interface RunToStop extends Who {
  readonly teamId: string;
  readonly value: string;
}

export async function stopped(
  { userId, home, channel, threadTs }: StopClick,
  context: RequestContext,
  say: Say,
): Promise<readonly RunToStop[]> {
  const { db, teamId } = context;
  if (!(await context.mayAsk({ userId, home }, say))) return [];
  const underWay = await underWayIn(db, { teamId, channel, threadTs });
  const planned = underWay.flatMap(({ requestId, revision }) => (revision === null ? requestId : []));
  const closed = planned.map((id) => setState(db, { teamId, id, to: 'closed', from: ['planning'] }));
  const isStopped = (await Promise.all(closed)).includes(true);
  // Slack shows the bot at work until it is told otherwise; the end of a run does that.
  if (planned.length === underWay.length) await context.doing({ teamId, channel, threadTs, goal: '' }, '');
  if (isStopped) await say(planningStopped());
  if (underWay.length === 0) await say(nothingToStop());
  return underWay.flatMap(({ requestId, revision }) =>
    revision === null ? [] : { userId, home, teamId, value: writeCardRef({ requestId, ...revision }) },
  );
}
