import { sha256 } from '../core/canonical.ts';
import { describeError } from '../core/errors.ts';
import type { Request } from '../core/request.ts';
import { firstTurn, type Pipeline, type Say, type Turn } from '../pipeline.ts';
import type { Place } from '../report/ports.ts';
import { emptyGoal, failed, tooLong, tooMany } from '../report/private.ts';
import { acceptRequest, type Incoming } from '../request/accept.ts';
import { countExecutors } from '../store/executor-lock.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RequestRow } from '../store/tables.ts';
import { isOpen, leftInPlanning } from '../store/threads.ts';
import { readConversation, turnAfter } from './conversation.ts';
import { invitation } from './invitation.ts';
import { mayTalk } from './people.ts';
import type { World } from './world.ts';

/** A request as a surface hands it in. */
export type Arrival = Omit<Incoming, 'teamId'> & {
  /** The same for every delivery of the same thing. */
  readonly key: string;
  /** Home of the person by what Slack sent, null where it named none and where a clock asks. */
  readonly home: string | null;
};

/** Id of the request that a delivery makes; the same for every delivery of the same thing. */
export function requestIdOf(key: string): string {
  return sha256(key).slice(0, 12);
}

const hour = 3_600_000;
/** Planning takes no longer than this; what is older has lost its process, also while others live. */
const longestPlanningMs = 5 * 60_000;

/** Takes requests in: bounded, stored once however often they arrive, then planned. */
export function createIntake(world: World, pipeline: Pipeline) {
  const { db, teamId, policy, now, log } = world;
  /** Answers to the person who asked, for words that come later; a command can be answered for half an hour. */
  const voices = new Map<string, Say>();
  /** Requests that this process plans now. */
  const underWay = new Set<string>();

  async function take({ key, home, ...incoming }: Arrival, say: Say): Promise<Request | null> {
    const byClock = incoming.via === 'schedule';
    if (!byClock && !(await mayTalk(world, { userId: incoming.requester, home }, say))) return null;
    const accepted = acceptRequest({ ...incoming, teamId }, { id: requestIdOf(key), now: now() });
    if (!accepted.ok) {
      await say(accepted.why === 'empty' ? emptyGoal() : tooLong());
      return null;
    }
    const { request } = accepted;
    if (!(await store(request, say))) return null;
    voices.set(request.id, say);
    setTimeout(() => voices.delete(request.id), hour / 2).unref();
    await plan(request, firstTurn(request.requester), say);
    return request;
  }

  /** True when the request is new and under way now. */
  async function store(request: Request, say: Say): Promise<boolean> {
    const { id } = request;
    const since = new Date(now().getTime() - hour);
    const max = policy.caps.plansPerHour;
    const known = underWay.has(id);
    underWay.add(id);
    const stored = await requests.insertCapped(db, request, 'planning', { since, max });
    if (stored !== 'new' && !known) underWay.delete(id);
    if (stored === 'over_cap') await say(tooMany(max));
    return stored === 'new';
  }

  async function plan(request: Request, turn: Turn, say: Say): Promise<void> {
    try {
      await during(request.id, () => pipeline.proceed(request, turn, say));
    } catch (error) {
      await requests.setState(db, { teamId, id: request.id, to: 'refused', from: ['planning'] });
      const invite = await invitation(error, request.channel, world);
      if (invite === null) throw error;
      await say(invite);
    }
  }

  /** Nobody takes a request for left behind while this process works on it. */
  async function during(id: string, work: () => Promise<void>): Promise<void> {
    underWay.add(id);
    try {
      await work();
    } finally {
      underWay.delete(id);
    }
  }

  /**
   * Requests that a process took in and died with are planned by another: nobody has to ask twice. While other
   * processes live, they may be at it, so only old ones are taken. One that fails does not hold up the rest.
   */
  async function resume(): Promise<void> {
    const alone = (await countExecutors(db)) <= 1;
    const before = new Date(now().getTime() - (alone ? 0 : longestPlanningMs));
    for (const { id } of await leftInPlanning(db, teamId, before)) {
      // Read again: the one before took its time.
      const row = await requests.get(db, teamId, id);
      if (underWay.has(id) || row?.state !== 'planning') continue;
      log.info({ request: id, asked: row.question !== null }, 'planning what a stopped process had taken in');
      await planAgain(row).catch((error: unknown) =>
        log.error(
          { request: id, ...describeError(error) },
          'A request of a stopped process could not be planned',
        ),
      );
    }
  }

  /** What nothing came of, and of which nothing is open, is closed: it must not come up again every minute. */
  async function planAgain(row: RequestRow): Promise<void> {
    const { state: _state, question, ...request } = row;
    const { id } = request;
    const { answers } = readConversation(question);
    const say = sayLater(request, answers.length);
    const turn = await turnLeft(row);
    try {
      if (turn !== null) await plan(request, turn, say);
    } catch (error) {
      await say(failed(id));
      throw error;
    }
    if (await isOpen(db, { teamId, id, since: now(), now: now() })) return;
    await requests.setState(db, { teamId, id, to: 'closed', from: ['planning'] });
  }

  /** What there is to plan: the request, or what was answered after its last card. Null when its card is there. */
  async function turnLeft({ id, requester, question }: RequestRow): Promise<Turn | null> {
    const last = await revisions.latest(db, teamId, id);
    if (last === null) return firstTurn(requester);
    const answer = readConversation(question).answers.at(-1);
    if (answer?.at === undefined || Date.parse(answer.at) < last.createdAt.getTime()) return null;
    return turnAfter(world, id, answer.by);
  }

  /**
   * The process that could answer whoever asked is gone: they are told in a message of its own. Only of what came to
   * nothing; where that process lives after all, its card or question is there.
   */
  function sayLater({ id, requester, channel, threadTs }: Request, answered: number): Say {
    const isPerson = /^[UW]/.test(requester);
    const place: Place = isPerson
      ? { kind: 'person', userId: requester }
      : { kind: 'channel', channel, threadTs };
    return async (message) => {
      const row = await requests.get(db, teamId, id);
      if (row?.state === 'refused') {
        await world.reporting.send(teamId, place, `left:${id}:${answered}`, message);
      }
    };
  }

  return { take, resume, during, voiceOf: (requestId: string): Say | undefined => voices.get(requestId) };
}
export type Intake = ReturnType<typeof createIntake>;
