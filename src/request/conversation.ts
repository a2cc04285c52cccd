import { z } from 'zod';
import type { PlannerAnswer } from '../core/answer.ts';
import { type Json, jsonOf } from '../core/json.ts';
import { type Blank, filledPlan } from '../core/missing-input.ts';
import type { Plan } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';

type Question = Extract<PlannerAnswer, { kind: 'clarify' }>;

const blank = z.custom<Blank>((value) => typeof value === 'object' && value !== null);

const answered = z.object({
  question: z.string(),
  missing: z.array(z.string()),
  answer: z.string(),
  /** Slack id of the person who answered: they count as involved in the plan. */
  by: z.string(),
  /** ISO 8601; absent in old rows. */
  at: z.string().optional(),
  /** Key of the delivery with the answer; absent in old rows. */
  key: z.string().optional(),
  /** The plan for which only this answer was missing. */
  blank: blank.optional(),
  /** It did not help, so the same was asked in other words. */
  unused: z.boolean().optional(),
});

/** The stored questions and answers of a request. */
const conversationSchema = z.object({
  /** The open question, or null once it is answered. */
  open: z
    .object({
      question: z.string(),
      missing: z.array(z.string()),
      options: z.array(z.string()),
      blank: blank.optional(),
      /** Key of its message, and of its buttons. Absent for a question to an agent, and in old rows. */
      key: z.string().optional(),
      /** Whole plans behind buttons, in plan notation. Absent in old rows. */
      plans: z.record(z.string(), z.string()).default({}),
    })
    .nullable(),
  /** Slack's timestamp of the first question: the thread below it is about the request. */
  ts: z.string().nullable(),
  /** That of the open question, or null until it is posted; absent where it is the first one, and in old rows. */
  at: z.string().nullable().optional(),
  answers: z.array(answered),
});
export type Conversation = z.infer<typeof conversationSchema>;

const empty: Conversation = { open: null, ts: null, answers: [] };

/** Where the open question is; null until it is posted. */
export const placeOf = ({ ts, at }: Conversation): string | null => (at === undefined ? ts : at);

/** True while nobody can have read the open question, as far as we know. */
export function isUnposted(stored: Json | null): boolean {
  const conversation = readConversation(stored);
  return conversation.open?.key !== undefined && placeOf(conversation) === null;
}

export function readConversation(stored: Json | null): Conversation {
  return stored === null ? empty : conversationSchema.parse(stored);
}

/** A planner's part of it: the answers, and the plan for which only the last of them was missing. */
export function conversationIn(stored: Json | null): {
  answers: PlanningInput['answers'];
  filled: Pick<Blank, 'plan' | 'planner'> | null;
} {
  const answers = readConversation(stored).answers.filter(({ unused }) => unused !== true);
  const { blank, answer = '' } = answers.at(-1) ?? {};
  return {
    // A planner does not need to know who gave them.
    answers: answers.map(({ question, missing, answer }) => ({ question, missing, answer })),
    filled: blank === undefined ? null : { plan: filledPlan(blank, answer), planner: blank.planner },
  };
}

/**
 * The last answer if it did not help: the question that follows was answered before, and no plan behind it has the
 * answer. `before` says whether the answer before it did not help either.
 */
export function unusedIn(
  stored: Json | null,
  { question, offers = [], blank: waits }: Question,
): { readonly answer: string; readonly missing: string; readonly before: boolean } | null {
  const { answers } = readConversation(stored);
  const last = answers.at(-1);
  const plans = JSON.stringify([offers.map(({ plan }) => plan.steps), waits?.plan.steps ?? []]);
  const isTaken = last !== undefined && plans.toLowerCase().includes(last.answer.toLowerCase());
  if (last === undefined || isTaken || !answers.some((one) => one.question === question)) return null;
  const missing = last.missing[0] ?? 'goal';
  return { answer: last.answer, missing, before: answers.at(-2)?.unused === true };
}

/** The conversation with its last answer marked as one that did not help. */
export function withUnused(stored: Json | null): Json {
  const conversation = readConversation(stored);
  const answers = conversation.answers.map((one, at, { length }) =>
    at === length - 1 ? { ...one, unused: true } : one,
  );
  return jsonOf({ ...conversation, answers });
}

/** Everyone who answered a question of the conversation. */
export function answerersOf(stored: Json | null): string[] {
  return [...new Set(readConversation(stored).answers.map(({ by }) => by))];
}

/** The conversation with a new question, which is not posted yet; `key` is null for a question to an agent. */
export function asked(
  stored: Json | null,
  answer: Question,
  key: string | null,
  notation: (plan: Plan) => string,
): Json {
  const { question, missing, options, blank: waits, offers = [] } = answer;
  const plans = Object.fromEntries(offers.map(({ option, plan }) => [option, notation(plan)]));
  const asked = { question, missing: [...missing], options: [...options], plans };
  const open = { ...asked, ...(waits ? { blank: waits } : {}), ...(key === null ? {} : { key }) };
  const conversation = readConversation(stored);
  return jsonOf({ ...conversation, open, ...(conversation.ts === null ? {} : { at: null }) });
}

const yes =
  /^(?:yes|yep|yup|yeah|y|ok|okay|sure|correct|right|exactly|this|that)(?:[\s,!.]+(?:please|pls|thanks|thx|exactly|correct|that|this|one|it|is))*[\s!.]*$/iu;
const ordinal =
  /^(?:take |use )?(?:the )?(?:option |number )?(first|second|third|last)(?: one| option)?(?: please| pls)?[\s!.]*$/iu;

/** The button that an answer in words selects: the full label, "yes" to the only one, "the second one". */
function chosen(answer: string, options: readonly string[], [missing]: readonly string[]): string {
  const said = answer.trim();
  const label = options.find((option) => option.toLowerCase() === said.toLowerCase());
  const place = ordinal.exec(said)?.[1]?.toLowerCase();
  // "Is this what it should say?" refers to the first button; "Should that depend on what is found?" to none.
  const isOne = missing === 'text' || (missing === 'goal' && options.length === 1);
  const agreed = isOne && yes.test(said) ? options[0] : undefined;
  const counted =
    place === 'last' ? options.at(-1) : options[['first', 'second', 'third'].indexOf(place ?? '')];
  return label ?? agreed ?? counted ?? answer;
}

/** The conversation with its open question, which is at `ts`, answered; null when none is open. */
export function withAnswer(
  stored: Json | null,
  said: { readonly answer: string; readonly by: string; readonly at: string; readonly key: string },
  ts: string | null = null,
): Json | null {
  const conversation = readConversation(stored);
  if (conversation.open === null) return null;
  const { options, plans, ...open } = conversation.open;
  const choice = chosen(said.answer, options, open.missing);
  // A button with a plan counts as typing that plan.
  const answer = Object.hasOwn(plans, choice) ? (plans[choice] ?? '') : choice;
  // Only the last answer completes a plan; that plan already contains the earlier answers.
  const before = conversation.answers.map(({ blank: _blank, ...one }) => one);
  const answers = [...before, { ...open, ...said, answer }];
  return jsonOf({ ...conversation, ts: conversation.ts ?? ts, open: null, answers });
}
