import { z } from 'zod';
import type { AgentEvent } from '../agents/context.ts';
import type { AlertCardEvent } from '../alerts/requests.ts';
import { type AlertsEvent, alertSchema } from '../core/alert.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { createInbox, type Inbox } from '../process/inbox.ts';
import { wordsMayWait } from '../request/subcommand.ts';
import type { FailedEvent, PressedEvent } from '../run/arrivals-after.ts';
import type { DiskSpace } from '../store/disk-space.ts';
import * as inbox from '../store/inbox.ts';
import type { TeamDb, TolerantDb } from '../store/tables.ts';
import type { IncidentEvent } from '../vendors/pagerduty/webhook.ts';
import type { SlackEvent } from '../vendors/slack/events.ts';
import type { TickEvent } from '../watches/clock.ts';

/** Every event the bot acts on: people's actions in Slack, clock ticks, and events of runs and PagerDuty. */
export type Arrival =
  | SlackEvent
  | TickEvent
  | FailedEvent
  | PressedEvent
  | IncidentEvent
  | AlertsEvent
  | AlertCardEvent
  | AgentEvent;
export type Arrivals = Inbox<Arrival>;

export interface InboxDeps extends TolerantDb {
  /** A dedicated connection: in a burst all others are busy, and an acknowledgement would wait for one. */
  readonly door: TeamDb['db'];
  readonly disk: Pick<DiskSpace, 'storing'>;
  /** Id of this process; the lock named after it shows that it is alive. */
  readonly executor: string;
  /** Tells its person, or a watch's channel, that it failed. */
  readonly tellFailure: (event: Arrival, error: unknown) => Promise<void>;
  readonly now: () => Date;
  readonly log: Log;
}

const from = { key: z.string().min(1) };
/** The fields that identify an event's owner, whichever version stored it; the rest is as `store` wrote it. */
const storedSchema = z.union([
  z.object({
    ...from,
    actor: z.object({ userId: z.string(), teamId: z.string(), home: z.string().nullable() }),
  }),
  z.object({ ...from, type: z.literal('tick'), watch: z.string() }),
  z.object({ ...from, type: z.literal('failed'), failed: z.object({ runId: z.string() }) }),
  z.object({ ...from, type: z.literal('pressed'), requestId: z.string(), number: z.int() }),
  z.object({ ...from, type: z.literal('incident'), incident: z.string() }),
  z.object({
    ...from,
    type: z.literal('alerts'),
    door: z.string(),
    alerts: z.array(alertSchema),
    unread: z.int(),
  }),
  z.object({ ...from, type: z.literal('alert_card'), problem: z.string(), nth: z.int() }),
  z.object({ ...from, type: z.literal('agent'), agent: z.string(), request: z.string() }),
]);

function isArrival(event: unknown): event is Arrival {
  return storedSchema.safeParse(event).success;
}

export function openInbox({
  db,
  door,
  disk,
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
      disk.storing(store({ teamId, key: event.key, event: jsonOf(event), executor, at: now() })),
    done: ({ key }) => inbox.done(db, { teamId, key, at: now() }),
    giveBack: ({ key }) => inbox.giveBack(db, { teamId, key }),
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
    isLeftToAll: ({ type }) => type === 'failed' || type === 'pressed' || type === 'incident',
    // Agents wait for each other, and not people for them.
    ownerOf: (event) =>
      event.type === 'agent' ? event.agent : 'actor' in event ? event.actor.teamId : teamId,
    tellFailure,
    log,
  });
}

/** True for background events but ticks, which have turns of their own, and for words that are a goal, an answer or a change. */
function mayWait(event: Arrival): boolean {
  if (['shortcut', 'failed', 'incident', 'alerts', 'alert_card', 'agent'].includes(event.type)) return true;
  return 'text' in event && wordsMayWait(event.text);
}
