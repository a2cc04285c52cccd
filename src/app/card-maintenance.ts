import type { CardState } from '../approval/card/state.ts';
import type { NudgePort, Waiting } from '../approval/reminders.ts';
import type { MendPort } from '../approval/repair.ts';
import { type RowReader, readRow, sortRows } from '../core/damaged-row.ts';
import type { Revision } from '../core/revision.ts';
import { cardKey } from '../report/outbox-messages.ts';
import * as approvals from '../store/approvals.ts';
import { cancel } from '../store/cancel.ts';
import * as nudges from '../store/nudges.ts';
import * as outbox from '../store/outbox.ts';
import { leftBehind, unposted } from '../store/repair.ts';
import * as requests from '../store/requests.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { ApprovalDeps } from './approval-deps.ts';
import type { Reporting } from './reporting.ts';
import { type Books, planReader } from './stored-requests.ts';

export function mendPort({ db, teamId, damaged, reporting, now, log }: ApprovalDeps): MendPort {
  return {
    open: (row) => readRow(row, planReader, damaged),
    async unposted(before) {
      const rows = await unposted(db, teamId, before);
      const queued = await Promise.all(
        rows.map(({ requestId, number }) => outbox.byKey(db, teamId, cardKey(requestId, number))),
      );
      return rows.filter((_, index) => queued[index] === null);
    },
    leftBehind: (before) => leftBehind(db, teamId, before),
    show: (revision) => reporting.propose(revision),
    showState: (revision: Revision, state: CardState) => reporting.card(revision, state),
    move: (change) => requests.setState(db, { teamId, ...change }),
    now,
    log,
  };
}

/** Milliseconds before a damaged row is read again. */
const putOffMs = 3_600_000;

const waitingReader: RowReader<RevisionRow, Waiting> = {
  ...planReader,
  read: (row) => ({
    revision: planReader.read(row),
    nudges: row.nudges,
    channel: row.cardChannel ?? '',
    dueAt: row.nudgeAt ?? row.expiresAt,
  }),
};

/** Reminders of waiting cards. */
export function nudgePort(deps: ApprovalDeps): NudgePort {
  const { db, teamId, damaged, reporting, people, rules, manifests, now, log } = deps;
  return {
    async due(times) {
      const rows = sortRows(await nudges.due(db, teamId, times), waitingReader, damaged);
      // Damaged rows must not take the places of the others.
      const later = new Date(now().getTime() + putOffMs);
      for (const row of rows.damaged) await nudges.putOff(db, row, later);
      return rows.sound;
    },
    async send({ revision, nudges: count }, { kind, thread, direct, next }) {
      const { requestId, number } = revision.sealed;
      const seen = { teamId, requestId, number, digest: revision.digest, nudges: count };
      const messages = reporting.nudges(revision, { kind, thread, direct });
      const told = direct.map(({ userId }) => userId);
      if (await nudges.take(db, { seen, next, messages, kind, told, now: now() })) reporting.kick();
    },
    async yeses({ sealed }) {
      const rows = await approvals.list(db, sealed);
      return rows.map(({ approver: by, at }) => ({ by, at }));
    },
    ...{ people, rules: () => rules, manifests: () => manifests, now, log },
  };
}

interface CancelDeps extends Books {
  readonly reporting: Pick<Reporting, 'cardMessage' | 'damagedCard' | 'kick'>;
  readonly now: () => Date;
}

/** Like `cancelCard`, for a card whose plan is damaged; false when it was decided meanwhile. */
export async function cancelDamaged(
  { db, teamId, now, reporting }: CancelDeps,
  { requestId, number, digest }: Pick<RevisionRow, 'requestId' | 'number' | 'digest'>,
): Promise<boolean> {
  const messages = [reporting.damagedCard({ requestId, number })];
  const about = { teamId, requestId, number, digest, reason: 'what is stored of it is damaged', now: now() };
  const isCancelled = (await cancel(db, { ...about, messages })) !== null;
  if (isCancelled) reporting.kick();
  return isCancelled;
}

/** Cancels a card that needs no decision any more, and updates it; does nothing when it was decided meanwhile. */
export async function cancelCard(
  { db, teamId, reporting, now }: CancelDeps,
  revision: Revision,
  reason: string,
): Promise<void> {
  const { requestId, number } = revision.sealed;
  const at = now();
  const state = { kind: 'cancelled', by: 'system', at: at.toISOString(), reason } as const;
  const messages = [reporting.cardMessage(revision, state)];
  const about = { teamId, requestId, number, digest: revision.digest, reason, now: at };
  if ((await cancel(db, { ...about, messages })) !== null) reporting.kick();
}
