import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from '../blocks/message.ts';
import { momentText } from '../core/cadence.ts';
import { type Plan, planLimits } from '../core/plan.ts';
import { firstTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { Watch } from '../core/watch.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { latest, revisionOf } from '../store/revisions.ts';
import type { TeamDb } from '../store/tables.ts';
import { headsOfThread, isPosting } from '../store/threads.ts';
import { activeWatch } from '../store/watch-rows.ts';
import { answer, restate } from './answers.ts';
import { cleanText } from './clean-input.ts';
import type { RequestContext } from './context.ts';
import { isUnposted, placeOf, readConversation } from './conversation.ts';
import { decidedInWords } from './decisions.ts';
import { requestIdOf } from './intake.ts';
import { stepAnswer } from './step-question.ts';
import { arrivalOf, type Heard, type ThreadMessage } from './thread-message.ts';
import { heardAfter, heardUnsure } from './unsure.ts';
import { tooLong } from './words.ts';

const talk: Heard = { kind: 'talk' };
const done: Heard = { kind: 'done' };

export async function hear(message: ThreadMessage, context: RequestContext, say: Say): Promise<Heard> {
  const words = cleanText(message.text);
  const requests = await headsOf(message, context);
  if (!requests.some(isAsked)) {
    const decided = await decidedInWords(words, message, context, say);
    if (decided !== null) return decided === 'unclear' ? done : decided;
  }
  for (const [index, request] of requests.entries()) {
    // A repeated delivery of the message that made the request: it does not refer to its own plan, which may not exist
    // yet.
    if (request.id === requestIdOf(request.teamId, message.key)) {
      return request.state === 'planning' ? { kind: 'request', arrival: arrivalOf(message) } : done;
    }
    if (words === '') return talk;
    // Words that do not change the card may answer the question above it, even if the bot was mentioned.
    const isLast = index === requests.length - 1;
    const heard = await heardAbout(request, words, message, isLast, context, say);
    if (heard.kind !== 'talk') return heard;
  }
  return talk;
}

async function heardAbout(
  request: StoredRequest,
  words: string,
  message: ThreadMessage,
  isLast: boolean,
  context: RequestContext,
  say: Say,
): Promise<Heard> {
  if (isAsked(request) || isRepeated(request, message)) {
    return heardAnswer(request, words, message, context, say);
  }
  if (isOnItsWay(request) || words.length > planLimits.goal) return talk;
  const isOver = ['running', 'refused'].includes(request.state);
  if (isOver) return heardAfter(request, words, { ...message, isLast }, context, say);
  if (await answeredAboutStep(request, words, message, context, say)) return done;
  return heardChange(
    request,
    words,
    { ...message, mentioned: message.mentioned && isLast, isLast },
    context,
    say,
  );
}

/** True for a question about a step of the newest plan, which is answered for all in the thread. */
async function answeredAboutStep(
  { id }: StoredRequest,
  words: string,
  { key, channel, threadTs, userId, home }: ThreadMessage,
  { db, teamId, catalogue, mayAsk, send }: RequestContext,
  say: Say,
): Promise<boolean> {
  const row = await latest(db, teamId, id);
  const message = row && stepAnswer(words, revisionOf(row), catalogue.manifests);
  if (!message) return false;
  if (await mayAsk({ userId, home }, say))
    await send(teamId, { kind: 'channel', channel, threadTs }, `step:${key}`, message);
  return true;
}

/** True while a question about a request waits for an answer. */
const isAsked = ({ state, question }: StoredRequest): boolean => state === 'asking' && !isUnposted(question);

/** True before a request has a question or a card that people can see. */
const isOnItsWay = (request: StoredRequest): boolean =>
  request.state === 'planning' || (request.state === 'asking' && !isAsked(request));

/** Already stored as an answer, by a process that died before planning. */
function isRepeated({ state, question }: StoredRequest, { key }: ThreadMessage): boolean {
  return state === 'planning' && readConversation(question).answers.at(-1)?.key === key;
}

async function heardAnswer(
  request: StoredRequest,
  words: string,
  message: ThreadMessage,
  context: RequestContext,
  say: Say,
): Promise<Heard> {
  const { key, mentioned, ...who } = message;
  if (who.userId !== request.requester && !mentioned) return talk;
  if (!(await context.mayAsk(who, say))) return done;
  if (words.length > planLimits.goal) {
    await say(tooLong());
    return done;
  }
  const conversation = readConversation(request.question);
  const { open } = conversation;
  // Written before the question was there.
  if (open !== null && message.ts < (placeOf(conversation) ?? '')) return talk;
  const isNew = open === null ? 'no' : await context.isNewRequest(request, open, words);
  if (isNew === 'instead') await restate(request, words, who.userId, context);
  if (isNew !== 'no') return { kind: 'request', arrival: arrivalOf(message) };
  const next = await answer(request, words, { by: who.userId, key }, context, say);
  return next === null ? done : { kind: 'answer', ...next };
}

/** People also talk in threads: unless the bot is mentioned, it only reacts to orders to change the plan. */
async function heardChange(
  request: StoredRequest,
  words: string,
  message: ThreadMessage & { readonly isLast: boolean },
  context: RequestContext,
  say: Say,
): Promise<Heard> {
  const { key, mentioned, isLast, ...who } = message;
  const basedOn = await openRevision(request.id, context);
  const watched = basedOn === null ? await watchMadeFrom(request.id, context) : null;
  const plan = basedOn?.sealed.plan ?? watched?.plan;
  if (plan === undefined) return heardAfter(request, words, message, context, say);
  if (watched !== null && endsIt.test(words)) {
    await context.endWatch(watched.watch.id, who, say);
    return done;
  }
  const order = looksLikeNotation(words, context.catalogue)
    ? 'surely'
    : await context.ordersChange(request, plan, words);
  if (mentioned && order !== 'surely' && (await context.isOwnRequest(request, words)))
    return { kind: 'request', arrival: arrivalOf(message) };
  if (!mentioned && order !== 'surely') {
    const isPerhaps = order === 'perhaps' && isLast;
    return heardUnsure(request, words, { ...message, isPerhaps }, context, say);
  }
  if (!(await context.mayAsk(who, say))) return done;
  if (watched !== null && !(await context.mayEndWatch(watched.watch, who, say))) return done;
  return { kind: 'change', plan, request, turn: { ...firstTurn(who.userId, key), basedOn, change: words } };
}

/** "stop it", "end the watch": nothing but that. */
const endsIt =
  /^(?:please )?(?:stop|end|cancel|quit)(?: (?:it|this|that|watching|(?:this|the) watch))?(?:,? please)?[.!]*$/iu;

/** The revision waiting for a decision, or already answered; null if there is none. */
async function openRevision(requestId: string, { db, teamId }: TeamDb): Promise<Revision | null> {
  const row = await latest(db, teamId, requestId);
  return row?.state === 'proposed' || row?.state === 'answered' ? revisionOf(row) : null;
}

/** The active watch made from a request, with its times in its plan; null if there is none. */
async function watchMadeFrom(
  requestId: string,
  { db, teamId }: TeamDb,
): Promise<{ readonly watch: Watch; readonly plan: Plan } | null> {
  const watch = await activeWatch(db, { teamId, id: `w-${requestId}` });
  if (watch === null || watch.plan === null) return null;
  const { every, until, worse } = watch;
  const end = until === null ? {} : { until: momentText(until) };
  return { watch, plan: { ...watch.plan, watch: { every, worse, ...end } } };
}

const lookMs = 50;
const maxLooks = 60;

/** The requests of a thread. A quick reply may arrive before the bot has stored where its message is. */
async function headsOf(
  { channel, threadTs }: ThreadMessage,
  { db, teamId }: TeamDb,
): Promise<readonly StoredRequest[]> {
  for (let looks = 0; ; looks += 1) {
    // Checked first: a location stored between the two queries must not be missed.
    const posting = await isPosting(db, { teamId, channel });
    const requests = await headsOfThread(db, { teamId, channel, threadTs });
    const settled = requests[0] === undefined ? !posting : !isOnItsWay(requests[0]);
    if (settled || looks === maxLooks) return requests;
    await pause(lookMs);
  }
}
