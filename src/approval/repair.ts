import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RequestState } from '../core/request.ts';
import type { Revision, RevisionState } from '../core/revision.ts';
import type { CardState } from './card/state.ts';

/** A revision as stored: its bytes may have been tampered with, so they are opened last. */
export interface LeftRevision {
  readonly requestId: string;
  readonly number: number;
  readonly bytes: string;
  readonly digest: string;
  readonly state: RevisionState;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly expiresAt: Date;
  readonly reason: string | null;
}

export interface MendPort {
  /** Older revisions waiting for a decision on a card that was never posted or queued. */
  unposted(before: Date): Promise<readonly LeftRevision[]>;
  /** The newest revisions of requests whose state did not move on. */
  leftBehind(before: Date): Promise<readonly LeftRevision[]>;
  /** Null for a damaged one, which is reported. */
  open(row: LeftRevision): Revision | null;
  /** Queues its card, and the final state of the card it replaces. */
  show(revision: Revision): Promise<void>;
  showState(revision: Revision, state: CardState): Promise<void>;
  move(change: { id: string; to: RequestState; from: readonly RequestState[] }): Promise<unknown>;
  readonly now: () => Date;
  readonly log: Log;
}

/** A working process needs no longer than this between two rows. */
const graceMs = 10_000;

/**
 * Repairs what a process left half done when it died between storing and showing: cards that nobody saw, cards that
 * still look open, requests that seem to wait. One that cannot be repaired does not hold up the rest.
 */
export async function mend(port: MendPort): Promise<void> {
  const before = new Date(port.now().getTime() - graceMs);
  const each = async (row: LeftRevision, work: (row: LeftRevision, port: MendPort) => Promise<void>) => {
    const about = { request: row.requestId, revision: row.number };
    await work(row, port).catch((error: unknown) =>
      port.log.warn({ ...about, ...describeError(error) }, 'Could not repair half-done work'),
    );
  };
  for (const row of await port.unposted(before)) await each(row, show);
  for (const row of await port.leftBehind(before)) await each(row, moveOn);
}

async function show(row: LeftRevision, port: MendPort): Promise<void> {
  const revision = port.open(row);
  if (revision !== null) await port.show(revision);
}

async function moveOn(row: LeftRevision, { open, move, showState }: MendPort): Promise<void> {
  const { requestId: id, state } = row;
  const isOver = state === 'approved' || state === 'answered';
  const to: RequestState = state === 'proposed' ? 'review' : isOver ? 'finished' : 'closed';
  const shown = stateOf(row);
  // The row first: a card whose bytes were tampered with cannot be drawn, and must not come up again every minute.
  await move({ id, to, from: ['planning', 'review', 'running'] });
  const revision = shown && open(row);
  if (shown !== null && revision !== null) await showState(revision, shown);
}

/** The state the card should show; null where the report of its run shows it. */
function stateOf({ state, decidedBy, decidedAt, expiresAt, reason }: LeftRevision): CardState | null {
  const by = decidedBy ?? '';
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === 'expired') return { kind: state, at: expiresAt.toISOString() };
  return state === 'rejected' || state === 'cancelled' ? { kind: state, by, at, reason } : null;
}
