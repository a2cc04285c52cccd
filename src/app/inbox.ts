import { z } from 'zod';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { FailedRun, RunEvent } from '../core/run.ts';
import { createInbox, type Inbox } from '../request/inbox.ts';
import { wordsMayWait } from '../request/subcommand.ts';
import * as inbox from '../store/inbox.ts';
import * as requests from '../store/requests.ts';
import type { IncidentEvent } from '../vendors/pagerduty/webhook.ts';
import type { SlackEvent } from '../vendors/slack/events.ts';
import type { Books, SoundBooks } from './books.ts';
import type { Room } from './room.ts';

/** A watch is to look. */
export interface TickEvent {
  readonly type: 'tick';
  readonly key: string;
  /** Id of the watch. */
  readonly watch: string;
}

/** A run did not end well: what it left undone is to be planned anew. */
export interface FailedEvent {
  readonly type: 'failed';
  readonly key: string;
  readonly failed: FailedRun;
}

/** What a button asked for has been looked up: its yes is to be counted. */
export interface PressedEvent {
  readonly type: 'pressed';
  readonly key: string;
  readonly requestId: string;
  readonly number: number;
}

/** Everything that the bot acts upon: what people do in Slack, ticks of the clock, and what runs and PagerDuty tell. */
export type Arrival = SlackEvent | TickEvent | FailedEvent | PressedEvent | IncidentEvent;
export type Arrivals = Inbox<Arrival>;

export interface InboxDeps extends SoundBooks {
  /** A connection of its own: in a storm all others are in the hands of work, and an acknowledgement would wait for one. */
  readonly door: Books['db'];
  readonly room: Pick<Room, 'storing'>;
  /** Identity of this process; the lock that is named after it says that it lives. */
  readonly executor: string;
  /** Says to its person, or to a watch's channel, that it failed. */
  readonly tellFailure: (event: Arrival, error: unknown) => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

/** Nobody's id, so whoever looks for what dead processes left takes it up. */
const nobody = 'nobody';

/** Leaves a failed run to a process that plans; a second time changes nothing. */
export async function leaveToPlanners({ db, teamId }: Books, failed: FailedRun, at: Date): Promise<void> {
  const event: FailedEvent = { type: 'failed', key: `failed:${failed.runId}`, failed };
  await inbox.store(db, { teamId, key: event.key, event: jsonOf(event), executor: nobody, at });
}

/** Leaves the yes of a button to a process that takes decisions, where a button it was. */
export async function leaveToFront(
  { db, teamId }: Books,
  { runId, requestId, number }: Pick<RunEvent, 'runId' | 'requestId' | 'number'>,
  at: Date,
): Promise<void> {
  if ((await requests.get(db, teamId, requestId))?.via !== 'button') return;
  const event: PressedEvent = { type: 'pressed', key: `pressed:${runId}`, requestId, number };
  await inbox.store(db, { teamId, key: event.key, event: jsonOf(event), executor: nobody, at });
}

const from = { key: z.string().min(1) };
/** What tells whose an event is, whichever version stored it; what is more is as `store` wrote it. */
const storedSchema = z.union([
  z.object({
    ...from,
    actor: z.object({ userId: z.string(), teamId: z.string(), home: z.string().nullable() }),
  }),
  z.object({ ...from, type: z.literal('tick'), watch: z.string() }),
  z.object({ ...from, type: z.literal('failed'), failed: z.object({ runId: z.string() }) }),
  z.object({ ...from, type: z.literal('pressed'), requestId: z.string(), number: z.int() }),
  z.object({ ...from, type: z.literal('incident'), incident: z.string() }),
]);

function isArrival(event: unknown): event is Arrival {
  return storedSchema.safeParse(event).success;
}

export function openInbox({
  db,
  door,
  room,
  teamId,
  damaged,
  executor,
  tellFailure,
  now,
  log,
}: InboxDeps): Arrivals {
  const store = inbox.storeTogether(door);
  return createInbox<Arrival>({
    store: (event) =>
      room.storing(store({ teamId, key: event.key, event: jsonOf(event), executor, at: now() })),
    done: ({ key }) => inbox.done(db, { teamId, key, at: now() }),
    async takeOver() {
      const rows = await inbox.takeOver(db, { teamId, executor });
      return rows.flatMap(({ key, event, attempts }) => {
        if (isArrival(event)) return [{ event, attempts }];
        // It stays in the inbox: another version may have accepted it.
        damaged({ kind: 'arrival', id: key }, new TypeError('it is no event that this version knows'));
        return [];
      });
    },
    mayWait,
    ownerOf: (event) => ('actor' in event ? event.actor.teamId : teamId),
    tellFailure,
    log,
  });
}

/** News may wait, and what people write as long as it is a goal, an answer or a change. */
function mayWait(event: Arrival): boolean {
  if (['shortcut', 'tick', 'failed', 'incident'].includes(event.type)) return true;
  return 'text' in event && wordsMayWait(event.text);
}
