import type { Message, Say } from '../blocks/message.ts';
import type { Finding } from '../core/finding.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import type { Turn } from '../core/turn.ts';
import { asked, readConversation } from './conversation.ts';
import type { RequestBook } from './ports.ts';
import { questionMessage } from './question.ts';
import { notPlannable, refused } from './words.ts';

export interface AskPort {
  readonly requests: RequestBook;
  post(to: {
    channel: string;
    threadTs: string | null;
    message: Message;
    key: string;
  }): Promise<{ ts: string }>;
  /** How to invite the bot where that is what an error is about, else null. */
  invitation(error: unknown, channel: string): Promise<Message | null>;
}

/** Asks in the channel, or in the thread where the request was made, with buttons for likely answers. */
export async function ask(
  { id, channel, threadTs }: Request,
  reply: PlannerReply,
  turn: Turn,
  { requests, post }: AskPort,
): Promise<void> {
  if (reply.answer.kind !== 'clarify') throw new TypeError('only a question can be asked');
  const stored = await requests.get(id);
  if (stored === null) return;
  const key = `question:${id}:${readConversation(stored.question).answers.length}`;
  const message = questionMessage(stored, reply.answer, reply.notes);
  // Stored before it is posted: a quick thumb may press a button before Slack's answer is here.
  const open = asked(stored.question, reply, null);
  await requests.move({ id, to: 'planning', question: open });
  const { ts } = await post({ channel, threadTs: turn.basedOn === null ? threadTs : null, message, key });
  const question = asked(stored.question, reply, ts);
  await requests.move({ id, to: 'asking', from: ['planning'], asked: open, question });
}

/** The planner's no, with its reason. */
export async function refuse(
  { id }: Request,
  { answer, notes }: PlannerReply,
  { requests }: AskPort,
  say: Say,
): Promise<void> {
  if (answer.kind !== 'refuse') throw new TypeError('only a refusal can be refused');
  await requests.move({ id, to: 'refused' });
  await say(refused(answer.reason, [answer.explanation, ...notes].join(' ')));
}

/** What the review found, said to the person; a card that is open stays open. */
export async function reject(
  { id }: Request,
  findings: readonly Finding[],
  { requests }: AskPort,
  say: Say,
): Promise<void> {
  await requests.move({ id, to: 'refused', from: ['planning'] });
  await say(notPlannable(findings));
}

/** Planning broke: the request is closed, and whoever asked hears how to invite the bot where that is all it lacks. */
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
