import { sha256 } from '../core/canonical.ts';
import type { Request } from '../core/request.ts';
import { firstTurn, type Pipeline, type Say } from '../pipeline.ts';
import { emptyGoal, tooLong, tooMany } from '../report/private.ts';
import { acceptRequest, type Incoming } from '../request/accept.ts';
import * as requests from '../store/requests.ts';
import { leftInPlanning } from '../store/threads.ts';
import { mayTalk } from './people.ts';
import { saidHowToInvite } from './stages.ts';
import type { World } from './world.ts';

/** A request as a surface hands it in. */
export type Arrival = Omit<Incoming, 'teamId'> & {
  /** The same for every delivery of the same thing. */
  readonly key: string;
  /** A member of another workspace; null when a clock asks and not a person. */
  readonly external: boolean | null;
};

const hour = 3_600_000;
const tellNobody: Say = async () => undefined;

/** Takes requests in: bounded, stored once however often they arrive, then planned. */
export function createIntake(world: World, pipeline: Pipeline) {
  const { db, teamId, policy, now, log } = world;
  /** Answers to the person who asked, for words that come later; a command can be answered for half an hour. */
  const voices = new Map<string, Say>();

  async function take({ key, external, ...incoming }: Arrival, say: Say): Promise<Request | null> {
    if (external !== null && !(await mayTalk(world, incoming.requester, external, say))) return null;
    const since = new Date(now().getTime() - hour);
    const recentCount = await requests.countSince(db, { teamId, since, requester: incoming.requester });
    const id = sha256(key).slice(0, 12);
    const { plansPerHour } = policy.caps;
    const accepted = acceptRequest({ ...incoming, teamId }, { id, now: now(), recentCount, plansPerHour });
    if (!accepted.ok) {
      const words = { empty: emptyGoal, too_long: tooLong, too_many: () => tooMany(plansPerHour) };
      await say(words[accepted.why]());
      return null;
    }
    const { request } = accepted;
    if (!(await requests.insert(db, request, 'planning'))) return null;
    voices.set(id, say);
    setTimeout(() => voices.delete(id), hour / 2).unref();
    await plan(request, say);
    return request;
  }

  async function plan(request: Request, say: Say): Promise<void> {
    try {
      await pipeline.proceed(request, firstTurn(request.requester), say);
    } catch (error) {
      await requests.setState(db, { teamId, id: request.id, to: 'refused', from: ['planning'] });
      if (!(await saidHowToInvite(error, request.channel, world, say))) throw error;
    }
  }

  /** Requests that a process took in and died with are planned now: nobody has to ask twice. */
  async function resume(): Promise<void> {
    for (const { state, question, ...request } of await leftInPlanning(db, teamId, now())) {
      log.info(
        { request: request.id, state, asked: question !== null },
        'planning what a stopped process had taken in',
      );
      await plan(request, tellNobody);
    }
  }

  return { take, resume, voiceOf: (requestId: string): Say | undefined => voices.get(requestId) };
}
export type Intake = ReturnType<typeof createIntake>;
