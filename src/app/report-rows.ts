import type { LinkHosts } from '../core/address.ts';
import { jsonOf } from '../core/json.ts';
import { lifeOf } from '../core/life.ts';
import type { Manifest } from '../core/manifest.ts';
import { unseal } from '../core/revision.ts';
import type { Delivery } from '../report/deliver.ts';
import { told } from '../report/evidence.ts';
import type { PagedCard } from '../report/life-parcels.ts';
import type { CardBook, NewParcel, OutboxPort, ReportPorts } from '../report/ports.ts';
import * as approvals from '../store/approvals.ts';
import * as followed from '../store/followed.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { Db } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import type { Books } from './books.ts';
import { remembered } from './remembered.ts';

/** The rows that the report stage reads and writes. */

interface RowDeps {
  readonly db: Db;
  readonly now: () => Date;
}

export function outboxPort({ db, teamId, now }: Books & RowDeps): OutboxPort {
  return {
    due: (take) => outbox.due(db, { ...take, teamId }),
    renew: (lease) => outbox.renew(db, lease),
    markSent: (sent) => outbox.markSent(db, sent),
    markFailed: (failed) => outbox.markFailed(db, failed),
    giveUp: ({ instead, ...of }) =>
      outbox.giveUp(db, { ...of, instead: instead && messageOf(instead, now()) }),
  };
}

/** A parcel as a row of the outbox. */
export function messageOf({ parcel, ...message }: NewParcel, now: Date): outbox.OutboxMessage {
  return { ...message, payload: jsonOf(parcel), now };
}

export function cardBook({ db, now }: RowDeps): CardBook {
  return {
    homeOf: remembered(async (teamId: string, requestId: string) => {
      const request = await requests.get(db, teamId, requestId);
      return request && { channel: request.channel, threadTs: request.threadTs };
    }),
    cardOf: remembered(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      if (!row?.cardChannel || !row.cardTs) return null;
      return { channel: row.cardChannel, ts: row.cardTs };
    }),
    shown: (card: Parameters<CardBook['shown']>[0]) =>
      shownCards.record(db, { ...card, message: jsonOf(card.message), at: now() }),
    remember: (card: Parameters<typeof revisions.setCard>[1]) => revisions.setCard(db, card),
    async watchAt(teamId: string, id: string) {
      const row = await watches.get(db, { teamId, id });
      return row && { channel: row.channel, threadTs: row.threadTs, ts: row.messageTs };
    },
    rememberWatch: (watch: Parameters<typeof watches.setMessage>[1]) => watches.setMessage(db, watch),
  };
}

export function reportPorts({ db, now }: RowDeps, delivery: Pick<Delivery, 'kick'>): ReportPorts {
  return {
    // Each event of a run asks for these, and neither ever changes.
    revision: remembered(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      return row && unseal(row.bytes, row.digest);
    }),
    isPressed: remembered(async (teamId: string, requestId: string) => {
      const request = await requests.get(db, teamId, requestId);
      return request?.via === 'button';
    }),
    async steps(teamId, runId) {
      const rows = await steps.stepResults(db, teamId, runId);
      return rows.map((row) => {
        const result = steps.toStepResult(row);
        return { stepId: row.stepId, running: result === null, result };
      });
    },
    approval: (teamId, runId) => approvals.ofRun(db, { teamId, runId }),
    async life(teamId, runId) {
      return lifeOf((await followed.lifeOfRun(db, { teamId, runId }))?.life ?? null);
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

/** What the card of a run says, but for what became of its incident; null when it is gone. */
export async function progressOf(
  teamId: string,
  { requestId, number, runId }: { requestId: string; number: number; runId: string },
  { db, ports, manifests, hosts }: CardRows,
): Promise<PagedCard['progress'] | null> {
  const [revision, all, approval, run] = await Promise.all([
    ports.revision(teamId, requestId, number),
    ports.steps(teamId, runId),
    ports.approval(teamId, runId),
    runs.get(db, { teamId, runId }),
  ]);
  if (revision === null || run === null) return null;
  const { outcome, finishedAt } = run;
  return {
    ...{ revision, told: told(revision.sealed, manifests, hosts), steps: all, approval, outcome },
    ...{ finishedAt: finishedAt?.toISOString() ?? null, stopping: run.cancelAt !== null },
  };
}

interface CardRows {
  readonly db: Db;
  readonly ports: ReportPorts;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}
