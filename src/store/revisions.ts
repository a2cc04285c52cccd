import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AuditEntry } from '../audit/chain.ts';
import { audited } from '../audit/ledger.ts';
import type { RowReader } from '../core/damaged-row.ts';
import type { Json } from '../core/json.ts';
import { type Revision, unseal } from '../core/revision.ts';
import type { Db, GrantRow, RevisionRow } from './tables.ts';

/** The last ones read: every card looks at the same other plans that wait for its services. */
const lately = new LRUCache<string, Revision>({ max: 50 });

/** Throws a DigestError when its bytes were tampered with. */
export function revisionOf({ bytes, digest }: Pick<RevisionRow, 'bytes' | 'digest'>): Revision {
  const known = lately.get(digest);
  if (known?.bytes === bytes) return known;
  const revision = unseal(bytes, digest);
  lately.set(digest, revision);
  return revision;
}

/** Reads stored plans in lists. */
export const planReader: RowReader<
  Pick<RevisionRow, 'requestId' | 'number' | 'bytes' | 'digest'>,
  Revision
> = {
  kind: 'plan',
  idOf: ({ requestId, number }) => `${requestId}/${number}`,
  read: revisionOf,
};

const originSchema = z.object({ from: z.int().nullish(), inWords: z.boolean().nullish() });

/** The number of the revision that this one changes, and whether it was changed in words. */
export function originOf(row: Pick<RevisionRow, 'origin'> | null): { from: number | null; inWords: boolean } {
  const { from, inWords } = originSchema.parse(row?.origin ?? {});
  return { from: from ?? null, inWords: inWords ?? false };
}

export async function get(
  db: Db,
  teamId: string,
  requestId: string,
  number: number,
): Promise<RevisionRow | null> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row ?? null;
}

/** The highest-numbered revision, whatever its state. */
export async function latest(db: Db, teamId: string, requestId: string): Promise<RevisionRow | null> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .orderBy('number', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row ?? null;
}

/** The revisions of a request in order, without their content. */
export function listOf(
  db: Db,
  teamId: string,
  requestId: string,
): Promise<Pick<RevisionRow, 'number' | 'state' | 'origin'>[]> {
  return db
    .selectFrom('revisions')
    .select(['number', 'state', 'origin'])
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .orderBy('number')
    .execute();
}

/** Stores where the card of a revision was posted. */
export async function setCard(
  db: Db,
  card: { teamId: string; requestId: string; number: number; channel: string; ts: string },
): Promise<void> {
  await db
    .updateTable('revisions')
    .set({ cardChannel: card.channel, cardTs: card.ts })
    .where('teamId', '=', card.teamId)
    .where('requestId', '=', card.requestId)
    .where('number', '=', card.number)
    .execute();
}

/** Revisions waiting for a decision, soonest to expire first, at most `limit`. */
export async function listOpen(
  db: Db,
  { teamId, limit }: { teamId: string; limit: number },
): Promise<RevisionRow[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('proposed'))
    .orderBy('expiresAt')
    .orderBy('requestId')
    .limit(sql.lit(limit))
    .execute();
}

/**
 * Closes a revision whose reads ran and that has nothing to write: no approval is needed. Null when it was decided or
 * replaced meanwhile.
 */
export async function answer(
  trx: Db,
  { teamId, requestId, number, at }: { teamId: string; requestId: string; number: number; at: Date },
): Promise<AuditEntry | null> {
  const row = await trx
    .updateTable('revisions')
    .set({ state: 'answered', decidedBy: 'system', decidedAt: at })
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .where('number', '=', number)
    .where('state', '=', sql.lit('proposed'))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : revisionEntry(row, 'answered', 'system', at);
}

/** Expires undecided revisions, at most 100 at once, and returns them. */
export async function expireDue(db: Db, teamId: string, now: Date): Promise<RevisionRow[]> {
  const due = await db
    .selectFrom('revisions')
    .select(['teamId', 'requestId', 'number'])
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('proposed'))
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(sql.lit(100))
    .execute();
  const expired = await Promise.all(due.map((each) => expireOne(db, each, now)));
  return expired.flat();
}

/** Null when a click or another process was faster. */
function expireOne(
  db: Db,
  { teamId, requestId, number }: Pick<RevisionRow, 'teamId' | 'requestId' | 'number'>,
  now: Date,
): Promise<RevisionRow[]> {
  return audited(db, teamId, async (trx) => {
    const value = await trx
      .updateTable('revisions')
      .set({ state: 'expired', decidedAt: now })
      .where('teamId', '=', teamId)
      .where('requestId', '=', requestId)
      .where('number', '=', number)
      .where('state', '=', sql.lit('proposed'))
      .returningAll()
      .execute();
    return { value, lines: value.map((each) => revisionEntry(each, 'expired', 'system', now)) };
  });
}

/** All grants of a request, oldest first. */
export async function approvalsOf(db: Db, teamId: string, requestId: string): Promise<GrantRow[]> {
  return db
    .selectFrom('grants')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .orderBy('number')
    .execute();
}

/** The audit entry for a change of a revision. */
export function revisionEntry(
  revision: Pick<RevisionRow, 'teamId' | 'requestId' | 'number' | 'digest'>,
  change: string,
  actor: string,
  at: Date,
  more: { [key: string]: Json } = {},
): AuditEntry {
  const { teamId, requestId, number, digest } = revision;
  const subject = `revision:${requestId}/${number}`;
  const about = { requestId, number };
  return { teamId, at, kind: `revision.${change}`, actor, subject, data: { digest, ...more }, about };
}
