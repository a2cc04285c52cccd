import type { CardState } from '../approval/card-state.ts';
import { describeError } from '../core/errors.ts';
import { unseal } from '../core/revision.ts';
import { cardKey } from '../report/deliver.ts';
import { leftBehind, unposted } from '../store/half-done.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import type { RequestState, RevisionRow } from '../store/tables.ts';
import type { World } from './world.ts';

/** Whoever is at it needs no longer than this between two rows. */
const surelyLeftMs = 10_000;

type Mended = Pick<World, 'db' | 'teamId' | 'reporting' | 'log' | 'now'>;

/**
 * Puts right what a process left half done that died between storing and showing: cards that nobody saw, cards that
 * still look open, requests that seem to wait. One that cannot be mended does not hold up the rest.
 */
export async function mend(world: Mended): Promise<void> {
  const { db, teamId, log, now } = world;
  const before = new Date(now().getTime() - surelyLeftMs);
  const each = async (row: RevisionRow, work: (world: Mended, row: RevisionRow) => Promise<void>) => {
    const about = { request: row.requestId, revision: row.number };
    await work(world, row).catch((error: unknown) =>
      log.warn({ ...about, ...describeError(error) }, 'something left half done could not be mended'),
    );
  };
  for (const row of await unposted(db, teamId, before)) await each(row, show);
  for (const row of await leftBehind(db, teamId, before)) await each(row, moveOn);
}

/** Queues the card again, unless it waits in the outbox, and tells the card that it replaced. */
async function show({ db, reporting }: Mended, row: RevisionRow): Promise<void> {
  const { teamId, requestId, number } = row;
  if ((await outbox.byKey(db, teamId, cardKey(requestId, number))) !== null) return;
  const old = await revisions.get(db, teamId, requestId, number - 1);
  const replaced = old?.state === 'superseded' ? [unseal(old.bytes, old.digest)] : [];
  await reporting.propose(unseal(row.bytes, row.digest), { changes: [], replaced, inWords: true });
}

async function moveOn({ db, reporting }: Mended, row: RevisionRow): Promise<void> {
  const { teamId, requestId: id, state } = row;
  const to: RequestState = state === 'proposed' ? 'review' : state === 'approved' ? 'finished' : 'closed';
  const shown = stateOf(row);
  // First the row: a card whose bytes were tampered with cannot be drawn and must not come up every minute.
  await requests.setState(db, { teamId, id, to, from: ['planning', 'review', 'running'] });
  if (shown !== null) await reporting.card(unseal(row.bytes, row.digest), shown);
}

/** What the card should say; null where the report of its run says it. */
function stateOf({ state, decidedBy, decidedAt, expiresAt, reason }: RevisionRow): CardState | null {
  const by = decidedBy ?? '';
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === 'expired') return { kind: state, at: expiresAt.toISOString() };
  return state === 'rejected' || state === 'cancelled' ? { kind: state, by, at, reason } : null;
}
