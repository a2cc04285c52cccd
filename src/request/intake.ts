import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import type { Who } from '../core/person.ts';
import type { Request, StoredRequest } from '../core/request.ts';
import { acceptRequest, type Incoming } from './clean-input.ts';
import type { RequestBook } from './ports.ts';
import { emptyGoal, tooLong } from './words.ts';

/** A request as it arrives from a surface. */
export type Arrival = Omit<Incoming, 'teamId'> & {
  /** The same for every delivery of one event. */
  readonly key: string;
  /** The person's home as reported by Slack, null if it was not, and for schedules. */
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
