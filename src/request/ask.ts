import type { Message, Say } from '../blocks/message.ts';
import type { Finding } from '../core/finding.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import { asked, readConversation } from './conversation.ts';
import { misread } from './did-you-mean.ts';
import type { RequestBook } from './ports.ts';
import { questionMessage } from './question.ts';
import { notPlannable, notUnderstoodAs, refused } from './words.ts';

interface Address {
  readonly channel: string;
  readonly threadTs: string | null;
  readonly key: string;
}

export interface AskPort {
  readonly requests: RequestBook;
  /** A plan as text that reads back to the same plan. */
  notation(plan: Plan): string;
  post(to: Address & { message: Message }): Promise<{ ts: string }>;
  /** The message with this key, if it has been posted since then. */
  find(posted: Address & { since: Date }): Promise<{ ts: string } | null>;
  /** How to invite the bot if that resolves the error, else null. */
  invitation(error: unknown, channel: string): Promise<Message | null>;
}

/**
 * Asks in the channel, or in the thread of the request, with buttons for likely answers. A probable typo in one of the
 * bot's own words is not asked in public: only the person who typed it is told.
 */
export async function ask(
  { id, goal, channel, threadTs }: Request,
  reply: PlannerReply,
  turn: Turn,
  { requests, post, find, notation }: AskPort,
  say: Say,
): Promise<void> {
  if (reply.answer.kind !== 'clarify') throw new TypeError('only a question can be asked');
  const stored = await requests.get(id);
  if (stored === null) return;
  const before = readConversation(stored.question);
  const mistyped = stored.question === null ? misread(goal, reply.answer) : null;
  if (mistyped !== null) {
    await requests.move({ id, to: 'refused' });
    return say(notUnderstoodAs(mistyped));
  }
  const key = `question:${id}:${before.answers.length}`;
  const to = { channel, threadTs: turn.basedOn === null ? threadTs : null, key };
  const message = questionMessage(stored, reply.answer, reply.notes);
  // Stored before posting: somebody may press a button before Slack's response arrives.
  const open = asked(stored.question, reply, null, notation);
  await requests.move({ id, to: 'planning', question: open });
  // A process that died here may have asked already.
  const mayStand = before.open !== null && before.ts === null;
  const standing = mayStand ? await find({ ...to, since: stored.createdAt }) : null;
  const { ts } = standing ?? (await post({ ...to, message }));
  const question = asked(stored.question, reply, ts, notation);
  await requests.move({ id, to: 'asking', from: ['planning'], asked: open, question });
}

/** Reports the planner's refusal and its reason. */
export async function refuse(
  { id, goal }: Request,
  { answer, notes }: PlannerReply,
  { requests }: AskPort,
  say: Say,
): Promise<void> {
  if (answer.kind !== 'refuse') throw new TypeError('only a refusal can be refused');
  const stored = await requests.get(id);
  await requests.move({ id, to: 'refused' });
  const mistyped = stored?.question === null ? misread(goal, answer) : null;
  if (mistyped !== null) return say(notUnderstoodAs(mistyped, answer.explanation));
  await say(refused(answer.reason, [answer.explanation, ...notes].join(' ')));
}

/** Reports the review's findings to the person; an open card stays open. */
export async function reject(
  { id }: Request,
  findings: readonly Finding[],
  { requests }: AskPort,
  say: Say,
): Promise<void> {
  await requests.move({ id, to: 'refused', from: ['planning'] });
  await say(notPlannable(findings));
}

/** Planning failed: closes the request, and tells the requester how to invite the bot if that is all it needs. */
export async function broke(
  { id, channel }: Request,
  error: unknown,
  { requests, invitation }: AskPort,
  say: Say,
): Promise<void> {
  await requests.move({ id, to: 'refused', from: ['planning'] });
  const invite = await invitation(error, channel);
  if (invite === null) throw error;
  await say(invite);
}
