import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from '../blocks/message.ts';
import type { Who } from '../core/person.ts';
import { type Plan, planLimits } from '../core/plan.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { Watch } from '../core/watch.ts';
import { type AnswersPort, answer } from './answers.ts';
import { cleanText } from './clean-input.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { type Arrival, requestIdOf } from './intake.ts';
import { tooLong } from './words.ts';

export interface ThreadPort extends AnswersPort {
  /** The request of a thread, followed by others with an open question there. */
  requestsOf(at: { channel: string; threadTs: string }): Promise<readonly StoredRequest[]>;
  /** True while a question or card is on its way to a channel: its location is not known yet. */
  isPosting(channel: string): Promise<boolean>;
  /** The revision waiting for a decision, or null. */
  openRevision(requestId: string): Promise<Revision | null>;
  /** The active watch made from a request, with its times in its plan; null if there is none. */
  watchOf(requestId: string): Promise<{ readonly watch: Watch; readonly plan: Plan } | null>;
  /** Whether a person may end a watch, and therefore change it; a person who may not has been told. */
  mayEnd(watch: Watch, who: Who, say: Say): Promise<boolean>;
  /** True when the words are a plan in notation. */
  isNotation(words: string): boolean;
  /** True when the words order a change to the plan, as far as that can be decided without a model. */
  ordersChange(request: StoredRequest, plan: Plan, words: string): Promise<boolean>;
  /** True when words under an open question are clearly a request of their own. */
  isNewRequest(
    request: StoredRequest,
    open: NonNullable<Conversation['open']>,
    words: string,
  ): Promise<boolean>;
}

/** A person's message in a thread. */
export interface ThreadMessage extends Who {
  /** The same for every delivery of the message. */
  readonly key: string;
  readonly channel: string;
  readonly threadTs: string;
  readonly text: string;
  /** True when the bot was mentioned: then it always answers. */
  readonly mentioned: boolean;
}

/** Classifies a message in a thread: an answer, a change in words, a new request, already handled, or talk between people. */
export type Heard =
  | ({ readonly kind: 'answer' } & NextTurn<StoredRequest>)
  | ({ readonly kind: 'change'; readonly plan: Plan } & NextTurn<StoredRequest>)
  | { readonly kind: 'request'; readonly arrival: Arrival }
  | { readonly kind: 'done' }
  | { readonly kind: 'talk' };

const talk: Heard = { kind: 'talk' };
const done: Heard = { kind: 'done' };

export async function hear(message: ThreadMessage, port: ThreadPort, say: Say): Promise<Heard> {
  const words = cleanText(message.text);
  const requests = await headsOf(message, port);
  for (const [index, request] of requests.entries()) {
    // A repeated delivery of the message that made the request: it does not refer to its own plan, which may not exist
    // yet.
    if (request.id === requestIdOf(request.teamId, message.key)) {
      return request.state === 'planning' ? { kind: 'request', arrival: arrivalOf(message) } : done;
    }
    if (words === '') return talk;
    // Words that do not change the card may answer the question above it, even if the bot was mentioned.
    const isLast = index === requests.length - 1;
    const heard = await heardAbout(request, words, message, isLast, port, say);
    if (heard.kind !== 'talk') return heard;
  }
  return talk;
}

async function heardAbout(
  request: StoredRequest,
  words: string,
  message: ThreadMessage,
  isLast: boolean,
  port: ThreadPort,
  say: Say,
): Promise<Heard> {
  if (request.state === 'asking' || isRepeated(request, message)) {
    return heardAnswer(request, words, message, port, say);
  }
  const isOpen = ['review', 'finished', 'closed'].includes(request.state);
  if (!isOpen || words.length > planLimits.goal) return talk;
  return heardChange(request, words, { ...message, mentioned: message.mentioned && isLast }, port, say);
}

/** Already stored as an answer, by a process that died before planning. */
function isRepeated({ state, question }: StoredRequest, { key }: ThreadMessage): boolean {
  return state === 'planning' && readConversation(question).answers.at(-1)?.key === key;
}

async function heardAnswer(
  request: StoredRequest,
  words: string,
  message: ThreadMessage,
  port: ThreadPort,
  say: Say,
): Promise<Heard> {
  const { key, mentioned, ...who } = message;
  if (who.userId !== request.requester && !mentioned) return talk;
  if (!(await port.mayAsk(who, say))) return done;
  if (words.length > planLimits.goal) {
    await say(tooLong());
    return done;
  }
  const { open } = readConversation(request.question);
  if (open !== null && (await port.isNewRequest(request, open, words))) {
    return { kind: 'request', arrival: arrivalOf(message) };
  }
  const next = await answer(request, words, { by: who.userId, key }, port, say);
  return next === null ? done : { kind: 'answer', ...next };
}

/** The question stays open. */
function arrivalOf({ key, userId: requester, home, channel, threadTs, text }: ThreadMessage): Arrival {
  return { key, text, via: 'mention', requester, home, channel, threadTs, quoted: null };
}

/** People also talk in threads: unless the bot is mentioned, it only reacts to orders to change the plan. */
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

/** The requests of a thread. A quick reply may arrive before the bot has stored where its message is. */
async function headsOf(
  { channel, threadTs }: ThreadMessage,
  { isPosting, requestsOf }: ThreadPort,
): Promise<readonly StoredRequest[]> {
  for (let looks = 0; ; looks += 1) {
    // Checked first: a location stored between the two queries must not be missed.
    const posting = await isPosting(channel);
    const requests = await requestsOf({ channel, threadTs });
    const settled = requests[0] === undefined ? !posting : requests[0].state !== 'planning';
    if (settled || looks === maxLooks) return requests;
    await pause(lookMs);
  }
}
