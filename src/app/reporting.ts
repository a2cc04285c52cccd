import { LRUCache } from 'lru-cache';
import type { CardState } from '../approval/card-state.ts';
import type { Progress } from '../approval/consent.ts';
import type { Nudge } from '../approval/nudge.ts';
import type { Message } from '../blocks/message.ts';
import type { LinkHosts } from '../core/address.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Policy } from '../core/policy.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { RunEvent } from '../core/run.ts';
import { type Delivery, startDelivery } from '../report/deliver.ts';
import type { CardBook, NewParcel, OutboxPort, Place, QueuedParcel, ReportPorts } from '../report/ports.ts';
import { createReporter } from '../report/reporter.ts';
import { expiredReply } from '../report/thread.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { Db } from '../store/tables.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { askedParcel, cardParcel, progressParcel, type Reads, shownParcels } from './cards.ts';
import { nudgeParcels, threadParcel } from './nudge-parcels.ts';

export interface ReportDeps {
  readonly db: Db;
  readonly gateway: SlackGateway;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
  readonly policy: Policy;
  readonly log: Log;
  readonly now: () => Date;
  /** A message that will never arrive. */
  readonly onDead: (parcel: QueuedParcel, error: unknown) => Promise<void>;
}

/** Everything that is said in Slack goes through here, and waits in the outbox until Slack has it. */
export interface Reporting {
  /** Whoever asked hears of a card that expired. */
  card(revision: Revision, state: CardState): Promise<void>;
  /** A reminder as messages, to be stored with it. */
  nudges(
    revision: Revision,
    nudge: Pick<Nudge, 'kind' | 'thread' | 'direct'>,
  ): readonly outbox.OutboxMessage[];
  /** A message to a channel, to be stored with what it tells of. */
  toChannel(teamId: string, channel: string, key: string, message: Message): readonly outbox.OutboxMessage[];
  /** Something was stored that is to be sent. */
  kick(): void;
  /** The card of an open revision says who has agreed. */
  progress(revision: Revision, progress: Progress): Promise<void>;
  /** The card of an open revision says who else asked. */
  asked(revision: Revision): Promise<void>;
  /** A new card; the one that it replaces says where it is, and so does its thread when somebody changed it in words. */
  propose(revision: Revision): Promise<void>;
  /** A message to a channel, or to a person, once under its key. */
  send(teamId: string, place: Place, key: string, message: Message): Promise<void>;
  /** What a run tells of an event, to be stored with it. */
  messagesFor(event: RunEvent): Promise<readonly outbox.OutboxMessage[]>;
  /** It is stored. */
  stored(event: RunEvent): void;
  stop(): Promise<void>;
}

export function startReporting(deps: ReportDeps): Reporting {
  const { db, gateway, manifests, hosts, now, log } = deps;
  const delivery = startDelivery({
    outbox: outboxPort(db),
    slack: { ...gateway, linkTo: remembered(gateway.linkTo) },
    cards: cardBook(deps),
    now,
    log,
    onDead: deps.onDead,
    pollMs: 1_000,
  });
  const ports = reportPorts(deps, delivery);
  const { enqueue } = ports;
  const reporter = createReporter(ports, { manifests, hosts, log });

  /** The end of the reads of a plan is its card, or its answer. */
  async function shownAfter(event: RunEvent): Promise<readonly NewParcel[]> {
    if (event.type !== 'finished') return [];
    const revision = await ports.revision(event.teamId, event.requestId, event.number);
    return revision === null ? [] : shownParcels(deps, revision, event);
  }

  return {
    async card(revision, state) {
      await enqueue(cardParcel(deps, revision, state));
      if (state.kind === 'expired') await enqueue(expiredParcel(revision));
    },
    nudges: (revision, nudge) => nudgeParcels(revision, nudge).map((parcel) => messageOf(parcel, now())),
    toChannel(teamId, channel, key, message) {
      const place = { kind: 'channel', channel, threadTs: null } as const;
      const parcel = { place, message, fallback: null };
      return [messageOf({ teamId, conversation: key, key, kind: 'private', parcel }, now())];
    },
    kick: () => delivery.kick(),
    progress: async (revision, progress) =>
      enqueue(progressParcel(deps, revision, { progress, facts: await steps.factsOf(db, revision.sealed) })),
    asked: async (revision) => enqueue(await askedParcel(deps, revision)),
    async propose(revision) {
      const parcels = await shownParcels(deps, revision, await readsOf(deps, revision));
      // All or none: what comes up again after a crash is told by the card alone.
      await db.transaction().execute(async (trx) => {
        for (const parcel of parcels) await outbox.enqueue(trx, messageOf(parcel, now()));
      });
      delivery.kick();
    },
    send: (teamId, place, key, message) =>
      enqueue({
        teamId,
        conversation: key,
        key,
        kind: 'private',
        parcel: { place, message, fallback: null },
      }),
    async messagesFor(event) {
      const parcels = event.mode === 'read' ? await shownAfter(event) : await reporter.messagesFor(event);
      return parcels.map((parcel) => messageOf(parcel, now()));
    },
    stored(event) {
      delivery.kick();
      reporter.follow(event);
    },
    async stop() {
      await reporter.idle();
      await delivery.stop();
    },
  };
}

/** The address of a message stays what it is, and a replaced card and its thread ask for the same one. */
function remembered(linkTo: SlackGateway['linkTo']): SlackGateway['linkTo'] {
  const known = new LRUCache<string, Promise<string>>({ max: 100 });
  return (channel, ts) => {
    const key = `${channel}/${ts}`;
    const link = known.get(key) ?? linkTo(channel, ts);
    known.set(key, link);
    link.catch(() => known.delete(key));
    return link;
  };
}

/** What the reads of a revision came to, where they have ended. */
async function readsOf({ db, now }: ReportDeps, { sealed }: Revision): Promise<Reads | null> {
  const results = await steps.factsOf(db, sealed);
  return results && { results, at: now().toISOString() };
}

function outboxPort(db: Db): OutboxPort {
  return {
    due: (take) => outbox.due(db, take),
    renew: (lease) => outbox.renew(db, lease),
    markSent: (sent) => outbox.markSent(db, sent),
    markFailed: (failed) => outbox.markFailed(db, failed),
  };
}

/** Who asked is told where the card stood, so that nobody waits for it. */
function expiredParcel({ sealed }: Revision): NewParcel {
  return threadParcel(sealed, `expired:${sealed.requestId}:${sealed.number}`, expiredReply(sealed));
}

function messageOf({ parcel, ...message }: NewParcel, now: Date): outbox.OutboxMessage {
  return { ...message, payload: jsonOf(parcel), now };
}

function cardBook({ db, now }: Pick<ReportDeps, 'db' | 'now'>): CardBook {
  return {
    async homeOf(teamId: string, requestId: string) {
      const request = await requests.get(db, teamId, requestId);
      return request && { channel: request.channel, threadTs: request.threadTs };
    },
    async cardOf(teamId: string, requestId: string, number: number) {
      const row = await revisions.get(db, teamId, requestId, number);
      if (!row?.cardChannel || !row.cardTs) return null;
      return { channel: row.cardChannel, ts: row.cardTs };
    },
    shown: (card: Parameters<CardBook['shown']>[0]) =>
      shownCards.record(db, { ...card, message: jsonOf(card.message), at: now() }),
    remember: (card: Parameters<typeof revisions.setCard>[1]) => revisions.setCard(db, card),
  };
}

/** Revisions of runs under way that are kept read: each of their events asks for one, and they never change. */
const keptRevisions = 50;

function reportPorts({ db, now }: ReportDeps, delivery: Delivery): ReportPorts {
  const kept = new LRUCache<string, Revision>({ max: keptRevisions });
  return {
    async revision(teamId, requestId, number) {
      const key = `${teamId}/${requestId}/${number}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const row = await revisions.get(db, teamId, requestId, number);
      const revision = row && unseal(row.bytes, row.digest);
      if (revision !== null) kept.set(key, revision);
      return revision;
    },
    async steps(teamId, runId) {
      const rows = await steps.stepResults(db, teamId, runId);
      return rows.map((row) => {
        const result = steps.toStepResult(row);
        return { stepId: row.stepId, running: result === null, result };
      });
    },
    async approval(teamId, runId) {
      const run = await runs.get(db, { teamId, runId });
      const grants = run === null ? [] : await revisions.approvalsOf(db, teamId, run.requestId);
      const grant = grants.find((one) => one.runId === runId);
      return grant ? { by: grant.approver, at: grant.createdAt } : null;
    },
    async isStopping(teamId, runId) {
      return (await runs.isCancelled(db, { teamId, runId })) !== null;
    },
    async enqueue(parcel) {
      await outbox.enqueue(db, messageOf(parcel, now()));
      delivery.kick();
    },
  };
}
