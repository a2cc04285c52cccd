import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import * as outbox from './outbox.ts';
import { revisionEntry } from './revisions.ts';
import type { Db, RevisionRow } from './tables.ts';

/**
 * Cards that somebody is to be reminded of now, and those with their first reminder before `soon`, which may be told of
 * with them; at most 50 at once, those that are due first.
 */
export function due(
  db: Db,
  teamId: string,
  { now, soon }: { readonly now: Date; readonly soon: Date },
): Promise<RevisionRow[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('proposed'))
    .where('nudgeAt', '<=', soon)
    .where((where) => where.or([where('nudgeAt', '<=', now), where('nudges', '=', 0)]))
    .where('expiresAt', '>', now)
    .where('cardTs', 'is not', null)
    .orderBy('nudgeAt')
    .limit(sql.lit(50))
    .execute();
}

/** Postpones a card's reminder. */
export async function putOff(
  db: Db,
  { teamId, requestId, number }: Pick<RevisionRow, 'teamId' | 'requestId' | 'number'>,
  until: Date,
): Promise<void> {
  await db
    .updateTable('revisions')
    .set({ nudgeAt: until })
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .where('number', '=', number)
    .execute();
}

/**
 * Queues the messages of a reminder with its audit line, once across all processes: the first one that saw the same
 * number of earlier reminders wins. `next` is when the following one is due, null for no more.
 */
export function take(
  db: Db,
  nudge: {
    readonly seen: Pick<RevisionRow, 'teamId' | 'requestId' | 'number' | 'digest' | 'nudges'>;
    readonly next: Date | null;
    readonly messages: readonly outbox.OutboxMessage[];
    readonly kind: 'reminded' | 'escalated';
    /** The people messaged directly. */
    readonly escalatedTo: readonly string[];
    readonly now: Date;
  },
): Promise<boolean> {
  const { seen, next, messages, kind, escalatedTo, now } = nudge;
  return audited(db, seen.teamId, async (trx) => {
    const row = await trx
      .updateTable('revisions')
      .set({ nudgeAt: next, nudges: seen.nudges + 1 })
      .where('teamId', '=', seen.teamId)
      .where('requestId', '=', seen.requestId)
      .where('number', '=', seen.number)
      .where('nudges', '=', seen.nudges)
      .where('state', '=', sql.lit('proposed'))
      .returning('number')
      .executeTakeFirst();
    if (row === undefined) return { value: false, lines: [] };
    await outbox.enqueueAll(trx, messages);
    return { value: true, lines: [revisionEntry(seen, kind, 'system', now, { told: [...escalatedTo] })] };
  });
}
