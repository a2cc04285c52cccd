import type { LinkHosts } from '../core/address.ts';
import { readRow } from '../core/damaged-row.ts';
import { jsonOf } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { PagedCard } from '../incidents/messages.ts';
import type { Delivery } from '../report/deliver.ts';
import type { CardBook, NewParcel, OutboxPort, ReportPorts } from '../report/ports.ts';
import { told } from '../report/run-words.ts';
import * as approvals from '../store/approvals.ts';
import * as followed from '../store/followed-incidents.ts';
import { load } from '../store/load-run.ts';
import * as outbox from '../store/outbox.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import * as shownCards from '../store/shown-cards.ts';
import * as steps from '../store/steps.ts';
import type { Db, RequestRow } from '../store/tables.ts';
import * as watches from '../store/watches.ts';
import { remembered } from './memoize.ts';
import { type Books, lifeReader, type SoundBooks } from './stored-requests.ts';

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

/** A message as a row of the outbox. */
export function messageOf({ parcel, ...message }: NewParcel, now: Date): outbox.OutboxMessage {
  return { ...message, payload: jsonOf(parcel), now };
}

/** The origin of a request. */
type RequestOf = (
  teamId: string,
  id: string,
) => Promise<Pick<RequestRow, 'channel' | 'threadTs' | 'via'> | null>;

export function cardBook({ db, now }: RowDeps, requestOf: RequestOf): CardBook {
  const cardOf = remembered(async (teamId: string, requestId: string, number: number) => {
    const row = await revisions.get(db, teamId, requestId, number);
    if (!row?.cardChannel || !row.cardTs) return null;
    return { channel: row.cardChannel, ts: row.cardTs };
  });
  return {
    homeOf: requestOf,
    cardOf,
    cardNow(...of) {
      cardOf.forget(...of);
      return cardOf(...of);
    },
    shown: (card: Parameters<CardBook['shown']>[0]) =>
      shownCards.record(db, { ...card, message: jsonOf(card.message), at: now() }),
    async remember(card) {
      await revisions.setCard(db, card);
      cardOf.forget(card.teamId, card.requestId, card.number);
    },
    async watchAt(teamId: string, id: string) {
      const row = await watches.get(db, { teamId, id });
      return row && { channel: row.channel, threadTs: row.threadTs, ts: row.messageTs };
    },
    rememberWatch: (watch: Parameters<typeof watches.setMessage>[1]) => watches.setMessage(db, watch),
  };
}

export function reportPorts(
  { db, damaged, now }: RowDeps & Pick<SoundBooks, 'damaged'>,
  requestOf: RequestOf,
  delivery: Pick<Delivery, 'kick'>,
): ReportPorts {
  return {
    // Each event of a run reads it, and it never changes.
    revision: remembered(async (teamId: string, requestId: string, number: number) => {
      const row = await revisions.get(db, teamId, requestId, number);
      return row && readRow(row, revisions.planReader, damaged);
    }),
    isPressed: async (teamId, requestId) => (await requestOf(teamId, requestId))?.via === 'button',
    async steps(teamId, runId) {
      const rows = await steps.stepResults(db, teamId, runId);
      return rows.map((row) => {
        const result = steps.toStepResult(row);
        return { stepId: row.stepId, running: result === null, result };
      });
    },
    approval: (teamId, runId) => approvals.ofRun(db, { teamId, runId }),
    async life(teamId, runId) {
      const row = await followed.lifeOfRun(db, { teamId, runId });
      return row && (readRow(row, lifeReader, damaged)?.life ?? null);
    },
    stop: (teamId, runId) => runs.isCancelled(db, { teamId, runId }),
    async enqueue(parcel) {
      await outbox.enqueue(db, messageOf(parcel, now()));
      delivery.kick();
    },
  };
}

/** The content of a finished run's card, except for its incident's history; null when it is gone. */
export async function progressOf(
  teamId: string,
  { requestId, number, runId }: { requestId: string; number: number; runId: string },
  { db, ports, manifests, hosts }: CardRows,
): Promise<PagedCard['progress'] | null> {
  const [revision, run] = await Promise.all([
    ports.revision(teamId, requestId, number),
    load(db, { teamId, runId }),
  ]);
  if (revision === null || run === null) return null;
  const { outcome, finishedAt, grant } = run;
  const steps = run.results.map((result) => ({ stepId: result.stepId, running: false, result }));
  return {
    ...{ revision, told: told(revision.sealed, manifests, hosts), steps, outcome },
    approval: grant && { by: grant.by, how: grant.how, at: grant.createdAt },
    ...{ finishedAt: finishedAt?.toISOString() ?? null, stopping: run.cancel !== null },
  };
}

interface CardRows {
  readonly db: Db;
  readonly ports: ReportPorts;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Hosts that results may link to. */
  readonly hosts: LinkHosts;
}
