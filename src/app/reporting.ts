import { ZodError } from 'zod';
import { isButtonWrite } from '../approval/approve-by-button.ts';
import { aroundOf } from '../approval/card/around.ts';
import { type CardView, drawCard } from '../approval/card/card.ts';
import type { CardState } from '../approval/card/state.ts';
import type { Progress } from '../approval/required-approvals.ts';
import type { Message } from '../blocks/message.ts';
import type { LinkHosts } from '../core/address.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Policy } from '../core/policy.ts';
import type { Revision } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import { type Delivery, type DeliveryDeps, startDelivery } from '../report/deliver.ts';
import {
  cardParcel,
  placeParcel,
  type Reminder,
  reminderParcels,
  threadParcel,
  watchParcel,
} from '../report/outbox-messages.ts';
import type { NewParcel } from '../report/ports.ts';
import { createReporter } from '../report/reporter.ts';
import { type Reads, type ShowAfterPort, shownAfter, shownParcels } from '../report/show-revision.ts';
import { expiredReply } from '../report/thread.ts';
import { cardDamaged, notShown } from '../report/undeliverable.ts';
import { StoreError } from '../store/errors.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as steps from '../store/steps.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { showPort } from './cards.ts';
import { remembered } from './memoize.ts';
import { cardBook, messageOf, outboxPort, progressOf, reportPorts } from './report-rows.ts';
import type { SoundBooks } from './stored-requests.ts';

export interface ReportDeps extends SoundBooks {
  readonly gateway: SlackGateway;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly policy: Policy;
  readonly log: Log;
  readonly now: () => Date;
  /** The replacement for a message that will never arrive. */
  readonly onDead: DeliveryDeps['onDead'];
  /** Cancels a plan whose card nobody can see. */
  readonly closeUnseen: (requestId: string) => Promise<void>;
}

/** All messages to Slack go through here, and wait in the outbox until Slack has them. */
export interface Reporting {
  /** The current content of a run's card. */
  progressOf(
    teamId: string,
    of: { requestId: string; number: number; runId: string },
  ): ReturnType<typeof progressOf>;
  /** Updates a card; for an expired one also tells the requester. */
  card(revision: Revision, state: CardState): Promise<void>;
  /** The new state of a card, to be stored with it. */
  cardMessage(revision: Revision, state: CardState): outbox.OutboxMessage;
  /** The final state of a card whose plan is damaged, to be stored with its end. */
  damagedCard(of: { requestId: string; number: number }): outbox.OutboxMessage;
  /** The messages of a reminder, to be stored with it. */
  nudges(revision: Revision, reminder: Reminder): readonly outbox.OutboxMessage[];
  /** A message to a channel, to be stored with its event. */
  toChannel(teamId: string, channel: string, key: string, message: Message): outbox.OutboxMessage;
  /** A message about a watch, to be stored with its event. */
  toWatch(...of: Parameters<typeof watchParcel>): outbox.OutboxMessage;
  /** A message in the thread of a card, to be stored with its event. */
  toThread(...of: Parameters<typeof threadParcel>): outbox.OutboxMessage;
  /** Call after storing something to send. */
  kick(): void;
  /** Updates the card of an open revision with its approvers. */
  progress(revision: Revision, progress: Progress): Promise<void>;
  /** Updates the card of an open revision with its other requesters. */
  asked(revision: Revision): Promise<void>;
  /** Shows a new card; the one it replaces links to it, and so does its thread after a change in words. */
  propose(revision: Revision): Promise<void>;
  /** A message to a channel or person, once per key. */
  send(...of: Parameters<typeof placeParcel>): Promise<void>;
  /** A run's messages for an event, to be stored with it. */
  messagesFor(event: RunEvent): Promise<readonly outbox.OutboxMessage[]>;
  /** Call after the event is stored. */
  stored(event: RunEvent): Promise<void>;
  stop(): Promise<void>;
}

type ChangedView = Omit<CardView, 'manifests' | 'policy' | 'changes'>;

export function startReporting(deps: ReportDeps): Reporting {
  const { db, gateway, manifests, hosts, now, log } = deps;
  // Only fields that never change are read from a request.
  const requestOf = remembered((teamId: string, id: string) => requests.get(db, teamId, id));
  const delivery = startDelivery({
    outbox: outboxPort(deps),
    slack: { ...gateway, linkTo: remembered(gateway.linkTo) },
    cards: cardBook(deps, requestOf),
    now,
    log,
    onDead: deps.onDead,
  });
  const ports = reportPorts(deps, requestOf, delivery);
  const reporter = createReporter(ports, { manifests, hosts, log });
  const showing: ShowAfterPort = {
    ...showPort(deps),
    revision: ports.revision,
    async isPressed(revision, results) {
      const { teamId, requestId } = revision.sealed;
      return isButtonWrite(revision, results, manifests) && ports.isPressed(teamId, requestId);
    },
  };

  const unshown = new Set<string>();

  /** Tells the requester the end of a run, even if it cannot be shown. */
  async function answered(
    event: RunEvent,
    draw: () => Promise<readonly NewParcel[]>,
  ): Promise<readonly NewParcel[]> {
    const { teamId, requestId, number, runId } = event;
    try {
      const parcels = await draw();
      const isLost =
        event.type === 'finished' &&
        parcels.length === 0 &&
        (await ports.revision(teamId, requestId, number)) === null;
      if (!isLost) return parcels;
    } catch (error) {
      // Without the database nothing is stored either, and it is retried.
      if (event.type !== 'finished' || !isOurs(error)) throw error;
      log.error({ requestId, number, ...describeError(error) }, 'The end of a run could not be drawn');
    }
    if (event.mode === 'read') unshown.add(runId);
    return [threadParcel(event, `unshown:${runId}`, notShown(event.mode))];
  }

  return {
    progressOf: (teamId, of) => progressOf(teamId, of, { db, ports, manifests, hosts }),
    ...cardsShown(deps, ports.enqueue, showing, delivery),
    ...toBeStored(deps),
    kick: () => delivery.kick(),
    send: (...of) => ports.enqueue(placeParcel(...of)),
    async messagesFor(event) {
      const parcels = await answered(event, async () =>
        event.mode === 'read' ? shownAfter(event, showing) : reporter.messagesFor(event),
      );
      return parcels.map((parcel) => messageOf(parcel, now()));
    },
    async stored(event) {
      delivery.kick();
      reporter.follow(event);
      if (unshown.delete(event.runId)) await deps.closeUnseen(event.requestId);
    },
    async stop() {
      await reporter.idle();
      await delivery.stop();
    },
  };
}

/** False for errors of the database or its connection. */
function isOurs(error: unknown): boolean {
  if (error instanceof CountersignError) return !(error instanceof StoreError);
  return error instanceof ZodError || error instanceof TypeError || error instanceof RangeError;
}

/** Cards in their current state. */
function cardsShown(
  deps: ReportDeps,
  enqueue: (parcel: NewParcel) => Promise<void>,
  showing: ShowAfterPort,
  delivery: Delivery,
): Pick<Reporting, 'card' | 'progress' | 'asked' | 'propose'> {
  const changed = (revision: Revision, view: ChangedView) => enqueue(changedCard(deps, revision, view));
  return {
    async card(revision, state) {
      await changed(revision, { state });
      if (state.kind === 'expired') await enqueue(expiredParcel(revision));
    },
    async progress(revision, progress) {
      await changed(revision, { ...(await openView(deps, revision)), progress });
    },
    async asked(revision) {
      await changed(revision, await openView(deps, revision));
    },
    async propose(revision) {
      const parcels = await shownParcels(revision, await readsOf(deps, revision), showing);
      // Atomic: recovery after a crash only checks whether the card was posted.
      await deps.db.transaction().execute(async (trx) => {
        await outbox.enqueueAll(
          trx,
          parcels.map((parcel) => messageOf(parcel, deps.now())),
        );
      });
      delivery.kick();
    },
  };
}

/** Messages stored together with their event. */
function toBeStored(
  deps: ReportDeps,
): Pick<Reporting, 'cardMessage' | 'damagedCard' | 'nudges' | 'toChannel' | 'toWatch' | 'toThread'> {
  const { now } = deps;
  return {
    damagedCard(of) {
      const sealed = { teamId: deps.teamId, ...of };
      return messageOf(cardParcel({ sealed }, 'update', { message: cardDamaged(), fallback: null }), now());
    },
    cardMessage: (revision, state) => messageOf(changedCard(deps, revision, { state }), now()),
    nudges: (revision, reminder) =>
      reminderParcels(revision, reminder).map((parcel) => messageOf(parcel, now())),
    toChannel(teamId, channel, key, message) {
      const place = { kind: 'channel', channel, threadTs: null } as const;
      return messageOf(placeParcel(teamId, place, key, message), now());
    },
    toWatch: (...of) => messageOf(watchParcel(...of), now()),
    toThread: (...of) => messageOf(threadParcel(...of), now()),
  };
}

function changedCard({ manifests, policy }: ReportDeps, revision: Revision, view: ChangedView): NewParcel {
  return cardParcel(revision, 'update', drawCard(revision, { manifests, policy, ...view }));
}

/** The current content of an open card. */
async function openView(deps: ReportDeps, revision: Revision): Promise<ChangedView> {
  const [around, facts] = await Promise.all([
    aroundOf(deps, revision),
    steps.factsOf(deps.db, revision.sealed),
  ]);
  return { state: { kind: 'proposed' }, ...around, facts };
}

/** Results of a revision's reads, if they have ended. */
async function readsOf({ db, now }: ReportDeps, { sealed }: Revision): Promise<Reads | null> {
  const results = await steps.factsOf(db, sealed);
  return results && { results, at: now().toISOString() };
}

/** Tells the requester in the card's thread, so that nobody waits for it. */
function expiredParcel({ sealed }: Revision): NewParcel {
  return threadParcel(sealed, `expired:${sealed.requestId}:${sealed.number}`, expiredReply(sealed));
}
