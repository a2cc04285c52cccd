import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import { type Plan, planLimits } from '../core/plan.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import { firstTurn, type NextTurn } from '../core/turn.ts';
import type { Watch } from '../core/watch.ts';
import { cleanText } from './accept.ts';
import { type AnswersPort, answer } from './answers.ts';
import { readConversation } from './conversation.ts';
import { requestIdOf } from './intake.ts';
import type { EndPort } from './watches/end.ts';
import { tooLong } from './words.ts';

export interface ThreadPort extends AnswersPort {
  /** The request whose card, question or own message stands at the head of a thread, or null. */
  requestOf(at: { channel: string; threadTs: string }): Promise<StoredRequest | null>;
  /** True while a question or a card is on its way to a channel: its place is not known yet. */
  isPosting(channel: string): Promise<boolean>;
  /** The revision that waits for a decision, or null. */
  openRevision(requestId: string): Promise<Revision | null>;
  /** The watch that was made of a request and goes on, with its times in its plan; null for none. */
  watchOf(requestId: string): Promise<{ readonly watch: Watch; readonly plan: Plan } | null>;
  /** Whether somebody may end a watch, and so change it; whoever may not has been told. */
  mayEnd: EndPort['mayEnd'];
  /** True when the words are a plan in notation. */
  isNotation(words: string): boolean;
  /** True when the words order a change of the plan, as far as that can be told without a model. */
  ordersChange(request: StoredRequest, plan: Plan, words: string): Promise<boolean>;
}

/** A message that a person wrote in a thread. */
export interface ThreadMessage extends Who {
  /** The same for every delivery of the same message. */
  readonly key: string;
  readonly channel: string;
  readonly threadTs: string;
  readonly text: string;
  /** True when the bot was named: then it answers in any case. */
  readonly mentioned: boolean;
}

/** What a message in a thread is: an answer, a change in words, something dealt with already, or talk between people. */
export type Heard =
  | ({ readonly kind: 'answer' } & NextTurn<StoredRequest>)
  | ({ readonly kind: 'change'; readonly plan: Plan } & NextTurn<StoredRequest>)
  | { readonly kind: 'done' }
  | { readonly kind: 'talk' };

const talk: Heard = { kind: 'talk' };
const done: Heard = { kind: 'done' };

export async function hear(message: ThreadMessage, port: ThreadPort, say: Say): Promise<Heard> {
  const request = await headOf(message, port);
  if (request === null) return talk;
  // The message that made the request, delivered again: it is no word about its own plan.
  if (request.id === requestIdOf(request.teamId, message.key)) return done;
  const words = cleanText(message.text);
  if (words === '') return talk;
  if (request.state === 'asking' || isRepeated(request, message)) {
    return heardAnswer(request, words, message, port, say);
  }
  const isOpen = ['review', 'finished', 'closed'].includes(request.state);
  if (!isOpen || words.length > planLimits.goal) return talk;
  return heardChange(request, words, message, port, say);
}

/** Stored as an answer already, by a process that died before it had planned. */
function isRepeated({ state, question }: StoredRequest, { key }: ThreadMessage): boolean {
  return state === 'planning' && readConversation(question).answers.at(-1)?.key === key;
}

async function heardAnswer(
  request: StoredRequest,
  words: string,
  { key, mentioned, ...who }: ThreadMessage,
  port: ThreadPort,
  say: Say,
): Promise<Heard> {
  if (who.userId !== request.requester && !mentioned) return talk;
  if (!(await port.mayAsk(who, say))) return done;
  if (words.length > planLimits.goal) {
    await say(tooLong());
    return done;
  }
  const next = await answer(request, words, { by: who.userId, key }, port, say);
  return next === null ? done : { kind: 'answer', ...next };
}

/** People also talk in threads: unless the bot is named, only an order to change the plan is for it. */
async function heardChange(
  request: StoredRequest,
  words: string,
  { key, mentioned, ...who }: ThreadMessage,
  port: ThreadPort,
  say: Say,
): Promise<Heard> {
  const basedOn = await port.openRevision(request.id);
  const watched = basedOn === null ? await port.watchOf(request.id) : null;
  const plan = basedOn?.sealed.plan ?? watched?.plan;
  if (plan === undefined) return talk;
  const isChange = mentioned || port.isNotation(words) || (await port.ordersChange(request, plan, words));
  if (!isChange) return talk;
  if (!(await port.mayAsk(who, say))) return done;
  if (watched !== null && !(await port.mayEnd(watched.watch, who, say))) return done;
  return { kind: 'change', plan, request, turn: { ...firstTurn(who.userId, key), basedOn, change: words } };
}

const lookMs = 50;
const maxLooks = 60;

/** What a thread is about. A quick reply may be here before the bot has stored where its message stands. */
async function headOf(
  { channel, threadTs }: ThreadMessage,
  { isPosting, requestOf }: ThreadPort,
): Promise<StoredRequest | null> {
  for (let looks = 0; ; looks += 1) {
    // Asked first: what is stored between the two questions must not be missed.
    const posting = await isPosting(channel);
    const request = await requestOf({ channel, threadTs });
    const settled = request === null ? !posting : request.state !== 'planning';
    if (settled || looks === maxLooks) return request;
    await pause(lookMs);
  }
}
