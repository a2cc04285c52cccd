import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { RequestState } from '../core/request.ts';
import * as outbox from '../store/outbox.ts';
import { leftBehind, unposted } from '../store/repair.ts';
import * as requests from '../store/requests.ts';
import { planReader } from '../store/revisions.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { CardState } from './card/state.ts';
import type { ApprovalContext } from './context.ts';

/** A working process needs no longer than this between two rows. */
const graceMs = 10_000;

/**
 * Repairs what a process left half done when it died between storing and showing: cards that nobody saw, cards that
 * still look open, requests that seem to wait. One that cannot be repaired does not hold up the rest.
 */
export async function repair(context: ApprovalContext): Promise<void> {
  const { db, teamId, now, log } = context;
  const before = new Date(now().getTime() - graceMs);
  const each = async (
    row: RevisionRow,
    work: (row: RevisionRow, context: ApprovalContext) => Promise<void>,
  ) => {
    const about = { request: row.requestId, revision: row.number };
    await work(row, context).catch((error: unknown) =>
      log.warn({ ...about, ...describeError(error) }, 'Could not repair half-done work'),
    );
  };
  for (const row of await unposted(db, teamId, before)) await each(row, show);
  for (const row of await leftBehind(db, teamId, before)) await each(row, moveOn);
}

/** Its message may still be in the outbox. */
async function show(row: RevisionRow, { db, teamId, damaged, reporting }: ApprovalContext): Promise<void> {
  if ((await outbox.byKey(db, teamId, outbox.cardKey(row.requestId, row.number))) !== null) return;
  const revision = readRow(row, planReader, damaged);
  if (revision !== null) await reporting.propose(revision);
}

async function moveOn(row: RevisionRow, { db, teamId, damaged, reporting }: ApprovalContext): Promise<void> {
  const { requestId: id, state } = row;
  const isOver = state === 'approved' || state === 'answered';
  const to: RequestState = state === 'proposed' ? 'review' : isOver ? 'finished' : 'closed';
  const shown = stateOf(row);
  // The row first: a card whose bytes were tampered with cannot be drawn, and must not come up again every minute.
  await requests.setState(db, { teamId, id, to, from: ['planning', 'review', 'running'] });
  const revision = shown && readRow(row, planReader, damaged);
  if (shown !== null && revision !== null) await reporting.card(revision, shown);
}

/** The state the card should show; null where the report of its run shows it. */
function stateOf({ state, decidedBy, decidedAt, expiresAt, reason }: RevisionRow): CardState | null {
  const by = decidedBy ?? '';
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === 'expired') return { kind: state, at: expiresAt.toISOString() };
  return state === 'rejected' || state === 'cancelled' ? { kind: state, by, at, reason } : null;
}
