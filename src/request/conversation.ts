import { z } from 'zod';
import { type Json, jsonOf } from '../core/json.ts';
import type { PlannerReply, PlanningInput } from '../core/planning.ts';

const answered = z.object({
  question: z.string(),
  missing: z.array(z.string()),
  answer: z.string(),
  /** Slack id of who answered: they had a hand in the plan. */
  by: z.string(),
  /** ISO 8601; absent in old rows. */
  at: z.string().optional(),
  /** Key of the delivery that answered; absent in old rows. */
  key: z.string().optional(),
});

/** What a request remembers of the questions that were asked about it. */
const conversationSchema = z.object({
  /** The open question, or null when it was answered. */
  open: z
    .object({ question: z.string(), missing: z.array(z.string()), options: z.array(z.string()) })
    .nullable(),
  /** Slack's timestamp of the message with the question. */
  ts: z.string().nullable(),
  answers: z.array(answered),
});
export type Conversation = z.infer<typeof conversationSchema>;

const empty: Conversation = { open: null, ts: null, answers: [] };

export function readConversation(stored: Json | null): Conversation {
  return stored === null ? empty : conversationSchema.parse(stored);
}

/** For the planner, which has no use for who said it. */
export function answersOf(stored: Json | null): PlanningInput['answers'] {
  return readConversation(stored).answers.map(({ question, missing, answer }) => ({
    question,
    missing,
    answer,
  }));
}

/** Everybody who answered a question of the conversation. */
export function answerersOf(stored: Json | null): string[] {
  return [...new Set(readConversation(stored).answers.map(({ by }) => by))];
}

/** The conversation with a question asked; `ts` is null while it is being posted. */
export function asked(stored: Json | null, reply: PlannerReply, ts: string | null): Json {
  if (reply.answer.kind !== 'clarify') throw new TypeError('only a question can be asked');
  const { question, missing, options } = reply.answer;
  const open = { question, missing: [...missing], options: [...options] };
  return jsonOf({ ...readConversation(stored), open, ts });
}

/** The conversation with its open question answered; null when none is open. */
export function withAnswer(
  stored: Json | null,
  said: { readonly answer: string; readonly by: string; readonly at: string; readonly key: string },
): Json | null {
  const conversation = readConversation(stored);
  if (conversation.open === null) return null;
  const { question, missing } = conversation.open;
  const answers = [...conversation.answers, { question, missing, ...said }];
  return jsonOf({ ...conversation, open: null, answers });
}
