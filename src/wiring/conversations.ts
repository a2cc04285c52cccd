import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { diffPlans } from '../approval/diff.ts';
import type { Who } from '../approval/ports.ts';
import { refusalMessage } from '../approval/private-words.ts';
import { describeError, VendorError } from '../core/errors.ts';
import { type Plan, type PlanDraft, planLimits, planSchema } from '../core/plan.ts';
import type { Request } from '../core/request.ts';
import { type Revision, unseal } from '../core/revision.ts';
import { firstTurn, type Pipeline, type Say, type Turn } from '../pipeline.ts';
import { changeNotUnderstood, enoughRevisions, tooLong, tooManyAnswers } from '../report/private.ts';
import { answeredMessage } from '../report/question.ts';
import { cleanText } from '../request/accept.ts';
import { isChangeOrder } from '../request/change-order.ts';
import type { Message } from '../slack/blocks/message.ts';
import type { ActionEvent } from '../slack/events.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RequestRow } from '../store/tables.ts';
import { takeOnce } from '../store/taken.ts';
import { isPosting, requestOfThread } from '../store/threads.ts';
import { readConversation, turnAfter, withAnswer } from './conversation.ts';
import { type Intake, requestIdOf } from './intake.ts';
import { mayTalk } from './people.ts';
import { recordUsage } from './usage.ts';
import type { World } from './world.ts';

interface Heard {
  /** The same for every delivery of the same message. */
  readonly key: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly text: string;
  readonly actor: Who;
  /** True when the bot was named: then it answers in any case. */
  readonly mentioned: boolean;
}

const answerValue = z.strictObject({ r: z.string().max(100), a: z.string().max(100) });
/** Answers to questions about one request; after that many it is quicker to ask in other words. */
const mostAnswers = 10;
/** Revisions of one request; each is stored and posted, and may have cost a call of the model. */
const mostRevisions = 30;
/** How sure the planner must be that a reply nobody addressed to it is a change. */
const surely = 0.7;

/** Answers to questions and changes in words, from threads, buttons and the edit form. */
export function createConversations(world: World, pipeline: Pipeline, during: Intake['during']) {
  const { db, teamId, gateway, now, log } = world;

  /** A message in a thread. True when it belonged to a request and was dealt with. */
  async function heard(message: Heard, say: Say): Promise<boolean> {
    const { key, channel, threadTs, text, actor, mentioned } = message;
    if (threadTs === null) return false;
    const row = await headOf(channel, threadTs);
    if (row === null) return false;
    // The message that made the request, delivered again: it is no word about its own plan.
    if (row.id === requestIdOf(key)) return true;
    const words = cleanText(text);
    if (words === '') return false;
    if (row.state === 'asking') {
      if (actor.userId !== row.requester && !mentioned) return false;
      if (!(await mayTalk(world, actor, say))) return true;
      if (words.length > planLimits.goal) await say(tooLong());
      else await answer(row, words, { by: actor.userId, key }, say);
      return true;
    }
    if (row.state !== 'review' || words.length > planLimits.goal) return false;
    return changeFromThread(row, words, message, say);
  }

  /** What a thread is about. A quick reply may be here before the bot has stored where its message stands. */
  async function headOf(channel: string, threadTs: string): Promise<RequestRow | null> {
    for (let left = 60; ; left -= 1) {
      // Asked first: what is stored between the two questions must not be missed.
      const posting = await isPosting(db, { teamId, channel });
      const row = await requestOfThread(db, { teamId, channel, threadTs });
      const settled = row === null ? !posting : row.state !== 'planning';
      if (settled || left === 0) return row;
      await pause(50);
    }
  }

  /** A delivery that came before, perhaps to another process, is done already. */
  const isFirst = (key: string): Promise<boolean> => takeOnce(db, { teamId, key, at: now() });

  async function answer(
    row: RequestRow,
    text: string,
    { by, key, ts: known = null }: { by: string; key: string; ts?: string | null },
    say: Say,
  ): Promise<void> {
    const { open, ts: stored, answers } = readConversation(row.question);
    const ts = stored ?? known;
    const next = withAnswer(row.question, { answer: text, by, at: now().toISOString() });
    if (next === null || open === null || !(await isFirst(key))) return;
    if (answers.length >= mostAnswers) {
      await requests.setState(db, { teamId, id: row.id, to: 'refused', from: ['asking'] });
      return say(tooManyAnswers());
    }
    await during(row.id, async () => {
      const moved = await requests.setState(db, {
        teamId,
        id: row.id,
        to: 'planning',
        from: ['asking', 'planning'],
        question: next,
        ...(row.question === null ? {} : { asked: row.question }),
      });
      if (!moved) return;
      if (ts !== null) await closeQuestion(row, ts, answeredMessage(row.goal, open.question, text, by));
      await pipeline.proceed(row, await turnAfter(world, row.id, by), say);
    });
  }

  /** The answer counts although the question can no longer be changed: somebody may have deleted it. */
  async function closeQuestion({ id, channel }: RequestRow, ts: string, message: Message): Promise<void> {
    try {
      await gateway.update({ channel, ts, message, key: `question:${id}` });
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      log.warn({ request: id, ...describeError(error) }, 'An answered question could not be closed');
    }
  }

  /** A button under a question. */
  async function clicked(event: ActionEvent, say: Say): Promise<void> {
    const value = answerValue.safeParse(parsed(event.value));
    const row = value.success ? await requests.get(db, teamId, value.data.r) : null;
    const { open, ts } = readConversation(row?.question ?? null);
    const clickedTs = event.message?.ts ?? null;
    const isOpen = row?.state === 'asking' ? ts === clickedTs : row?.state === 'planning' && ts === null;
    if (!value.success || row === null || !isOpen || !open?.options.includes(value.data.a)) {
      return say(refusalMessage({ code: 'not_ours' }));
    }
    if (await mayTalk(world, event.actor, say)) {
      await answer(row, value.data.a, { by: event.actor.userId, key: event.key, ts: clickedTs }, say);
    }
  }

  async function openRevision(requestId: string): Promise<Revision | null> {
    const row = await revisions.latest(db, teamId, requestId);
    return row?.state === 'proposed' ? unseal(row.bytes, row.digest) : null;
  }

  /** People also talk in threads: unless the bot is named, only what is surely a change becomes one. */
  async function changeFromThread(
    row: RequestRow,
    words: string,
    { key, actor, mentioned }: Pick<Heard, 'key' | 'actor' | 'mentioned'>,
    say: Say,
  ): Promise<boolean> {
    const basedOn = await openRevision(row.id);
    if (basedOn === null) return false;
    const turn: Turn = { ...firstTurn(actor.userId), basedOn, change: words };
    if (!mentioned && !(await surelyChanges(row, basedOn.sealed.plan, words))) return false;
    if (!(await mayTalk(world, actor, say))) return true;
    if (await isFirst(key)) await change(row, turn, basedOn.sealed.plan, say);
    return true;
  }

  async function surelyChanges(request: Request, plan: Plan, words: string): Promise<boolean> {
    if (!isChangeOrder(words)) return false;
    const { catalogue, policy, offline } = world;
    const reply = await offline.plan({
      ...{ goal: request.goal, quoted: request.quoted, catalogue, policy, answers: [], replan: null },
      change: { plan, words },
      now: world.now(),
    });
    if (reply.answer.kind !== 'plan' || reply.confidence < surely) return false;
    return diffPlans(plan, reply.answer.plan, catalogue.manifests).length > 0;
  }

  /** Makes a revision of what a form says, in fields or, on top of them, in words. */
  async function edit(request: Request, turn: Turn, draft: PlanDraft, say: Say): Promise<void> {
    if (turn.change !== null) return change(request, turn, draft, say);
    if ((turn.basedOn?.sealed.number ?? 0) >= mostRevisions) return say(enoughRevisions(mostRevisions));
    await pipeline.edited(request, draft, turn, say);
  }

  /** Changes `draft` in words. What the planner does not understand changes nothing. */
  async function change(request: Request, turn: Turn, draft: PlanDraft, say: Say): Promise<void> {
    const plan = planSchema.parse(draft);
    const { basedOn } = turn;
    if (basedOn === null || turn.change === null) return;
    if (basedOn.sealed.number >= mostRevisions) return say(enoughRevisions(mostRevisions));
    const { catalogue, policy } = world;
    const reply = await world.planner.plan({
      ...{ goal: request.goal, quoted: request.quoted, catalogue, policy, answers: [], replan: null },
      change: { plan, words: turn.change },
      now: world.now(),
    });
    await recordUsage(world, request.id, 'change', reply.usage);
    const after = reply.answer.kind === 'plan' ? reply.answer.plan : null;
    if (after === null || diffPlans(basedOn.sealed.plan, after, catalogue.manifests).length === 0) {
      return say(changeNotUnderstood(turn.change));
    }
    await pipeline.changed(request, after, turn, reply, say);
  }

  return { heard, clicked, edit, requestOf: (id: string) => requests.get(db, teamId, id) };
}
export type Conversations = ReturnType<typeof createConversations>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
