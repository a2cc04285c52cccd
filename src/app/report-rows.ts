import { LRUCache } from 'lru-cache';
import { jsonOf } from '../core/json.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { Delivery } from '../report/deliver.ts';
import type { CardBook, NewParcel, OutboxPort, ReportPorts } from '../report/ports.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { Db } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import { remembered } from './remembered.ts';

/** The rows that the report stage reads and writes. */

interface RowDeps {
  readonly db: Db;
  readonly now: () => Date;
}

export function outboxPort(db: Db): OutboxPort {
  return {
    due: (take) => outbox.due(db, take),
    renew: (lease) => outbox.renew(db, lease),
    markSent: (sent) => outbox.markSent(db, sent),
    markFailed: (failed) => outbox.markFailed(db, failed),
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

/** Revisions of runs under way that are kept read: each of their events asks for one, and they never change. */
const keptRevisions = 50;

export function reportPorts({ db, now }: RowDeps, delivery: Pick<Delivery, 'kick'>): ReportPorts {
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
