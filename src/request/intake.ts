import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { PlannerReply } from '../core/planning.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import { isUnattended, type Request, type StoredRequest } from '../core/request.ts';
import * as requests from '../store/requests.ts';
import type { TeamDb } from '../store/tables.ts';
import { acceptRequest, type Incoming } from './clean-input.ts';
import type { RequestContext } from './context.ts';
import { emptyGoal, tooLong } from './words.ts';

/** A request as it arrives from a surface. */
export type Arrival = Omit<Incoming, 'teamId'> & {
  /** The same for every delivery of one event. */
  readonly key: string;
  /** The person's home as reported by Slack, null if it was not, for schedules and for alerts. */
  readonly home: string | null;
  /** It starts its thread itself. */
  readonly isFirst?: boolean;
  /** Its plan, if it was made before: a watch's, or an alert's. */
  readonly planned?: PlannerReply;
};

type ThreadReader = Pick<RequestContext, 'log'> & {
  readonly slack: Pick<RequestContext['slack'], 'wordsAt'>;
};

/** A stored request, to be planned unless it is. */
export interface Taken extends NextTurn<StoredRequest> {
  readonly planned?: PlannerReply | undefined;
}

/**
 * Id of the request made by a delivery; the same for every delivery of one event. Unique across workspaces, even if
 * their schedules share a name: writes are looked up by it.
 */
export function requestIdOf(teamId: string, key: string): string {
  return sha256(`${teamId} ${key}`).slice(0, 12);
}

/**
 * Takes in a request: limited, and stored once however often it arrives. Null when there is nothing to plan; the
 * requester has then been told why.
 */
export async function take(
  arrival: Arrival,
  context: ThreadReader & Pick<RequestContext, 'db' | 'teamId' | 'mayAsk' | 'now'>,
  say: Say,
): Promise<Taken | null> {
  const { key, home, planned, isFirst = false, ...incoming } = arrival;
  if (!isUnattended(incoming) && !(await context.mayAsk({ userId: incoming.requester, home }, say)))
    return null;
  const { teamId } = context;
  const about = { id: requestIdOf(teamId, key), now: context.now() };
  const quoted = incoming.quoted ?? (isFirst ? null : await threadStart(incoming, context));
  const accepted = acceptRequest({ ...incoming, quoted, teamId }, about);
  if (accepted.ok) {
    const request = await store(accepted.request, context);
    return request && { request, turn: firstTurn(request.requester, key), planned };
  }
  await say(accepted.why === 'empty' ? emptyGoal() : tooLong());
  return null;
}

/** Words that stand for the message that a thread is about. */
const refersToIt =
  /(?<!\p{L})(?:this|these|the (?:above|alert|message)|(?:about|for|on|of|with|from|post|send|share|forward|raise|report) (?:that|it)|dies\p{L}*|davon|darüber|dazu|dafür|est[oe]|isto|isso|ceci|cela|ça)(?!\p{L})/iu;

/** The first message of the thread in which somebody asks for something "about this". Data, as with the shortcut. */
async function threadStart(
  { via, text, channel, threadTs }: Omit<Incoming, 'teamId'>,
  { slack, log }: ThreadReader,
): Promise<string | null> {
  if (via !== 'mention' || threadTs === null || !refersToIt.test(text)) return null;
  try {
    return await slack.wordsAt({ channel, ts: threadTs });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn({ channel, ...describeError(error) }, 'The first message of a thread could not be read');
    return null;
  }
}

/** A request that is known and still being planned was left by a process that died: it is planned again. */
async function store(request: Request, { db, teamId }: TeamDb): Promise<StoredRequest | null> {
  if (await requests.insert(db, request, 'planning'))
    return { ...request, state: 'planning', question: null };
  const known = await requests.get(db, teamId, request.id);
  return known?.state === 'planning' ? known : null;
}
