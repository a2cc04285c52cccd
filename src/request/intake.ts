import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import type { Who } from '../core/person.ts';
import type { Request, StoredRequest } from '../core/request.ts';
import { acceptRequest, type Incoming } from './accept.ts';
import type { RequestBook } from './ports.ts';
import { emptyGoal, tooLong } from './words.ts';

/** A request as a surface hands it in. */
export type Arrival = Omit<Incoming, 'teamId'> & {
  /** The same for every delivery of the same thing. */
  readonly key: string;
  /** Home of the person by what Slack sent, null where it named none and where a clock asks. */
  readonly home: string | null;
};

export interface IntakePort {
  readonly teamId: string;
  readonly requests: RequestBook;
  /** Only full members may ask; anybody else is told so. */
  mayAsk(who: Who, say: Say): Promise<boolean>;
  readonly now: () => Date;
}

/**
 * Id of the request that a delivery makes; the same for every delivery of the same thing. No two workspaces ever have
 * the same one, though schedules of both may have one name: what is written is found again by it.
 */
export function requestIdOf(teamId: string, key: string): string {
  return sha256(`${teamId} ${key}`).slice(0, 12);
}

/**
 * Takes a request in: bounded and stored once however often it arrives. Null when there is nothing to plan; whoever
 * asked has then been told why.
 */
export async function take(
  { key, home, ...incoming }: Arrival,
  port: IntakePort,
  say: Say,
): Promise<StoredRequest | null> {
  const byClock = incoming.via === 'schedule';
  if (!byClock && !(await port.mayAsk({ userId: incoming.requester, home }, say))) return null;
  const about = { id: requestIdOf(port.teamId, key), now: port.now() };
  const accepted = acceptRequest({ ...incoming, teamId: port.teamId }, about);
  if (accepted.ok) return store(accepted.request, port);
  await say(accepted.why === 'empty' ? emptyGoal() : tooLong());
  return null;
}

/** A request that is known and still being planned was left by a process that died: it is planned again. */
async function store(request: Request, { requests }: IntakePort): Promise<StoredRequest | null> {
  if (await requests.insert(request)) return { ...request, state: 'planning', question: null };
  const known = await requests.get(request.id);
  return known?.state === 'planning' ? known : null;
}
