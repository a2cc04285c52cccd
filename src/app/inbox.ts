import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { FailedRun } from '../core/run.ts';
import { cleanText } from '../request/accept.ts';
import { createInbox, type Inbox } from '../request/inbox.ts';
import { readSubcommand } from '../request/subcommand.ts';
import * as inbox from '../store/inbox.ts';
import type { SlackEvent } from '../vendors/slack/events.ts';
import type { Books } from './books.ts';

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

/** Everything that the bot acts upon: what people do in Slack, ticks of the clock, and runs that went wrong. */
export type Arrival = SlackEvent | TickEvent | FailedEvent;
export type Arrivals = Inbox<Arrival>;

export interface InboxDeps extends Books {
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

export function openInbox({ db, teamId, executor, tellFailure, now, log }: InboxDeps): Arrivals {
  return createInbox<Arrival>({
    store: (event) => inbox.store(db, { teamId, key: event.key, event: jsonOf(event), executor, at: now() }),
    done: ({ key }) => inbox.done(db, { teamId, key, at: now() }),
    async takeOver() {
      const rows = await inbox.takeOver(db, { teamId, executor });
      // Our own, as `store` wrote them.
      return rows.map(({ event, attempts }) => ({ event: event as unknown as Arrival, attempts }));
    },
    mayWait: asksForPlan,
    ownerOf: (event) => ('actor' in event ? event.actor.teamId : teamId),
    tellFailure,
    log,
  });
}

/** A goal, an answer or a change: not the words that stop something, ask about the bot or open its form. */
function asksForPlan(event: Arrival): boolean {
  if (event.type === 'shortcut' || event.type === 'tick' || event.type === 'failed') return true;
  const words = 'text' in event ? cleanText(event.text) : '';
  return words !== '' && readSubcommand(words) === null;
}
