import { sql } from 'kysely';
import type { AuditEntry } from '../audit/chain.ts';
import { audited } from '../audit/ledger.ts';
import { canonicalJson, sha256 } from '../core/canonical.ts';
import { type Json, jsonOf } from '../core/json.ts';
import { jsonb } from './jsonb.ts';
import { revisionEntry } from './revisions.ts';
import type { Db, ShownCard } from './tables.ts';

export function record(db: Db, card: ShownCard): Promise<void> {
  return audited(db, card.teamId, async (trx) => ({ value: undefined, lines: await store(trx, card) }));
}

function hashOf({ message }: Pick<ShownCard, 'message'>): string {
  return sha256(canonicalJson(message));
}

/** Equal for equal cards of one revision. */
export function shownKey(card: ShownCard): string {
  return [card.teamId, card.requestId, card.number, hashOf(card)].join('/');
}

/**
 * Stores the card that people are about to see for a revision open to decisions, with an audit line carrying its hash:
 * what was approved can be inspected as displayed. Repeating the same message changes nothing.
 */
export async function store(trx: Db, card: ShownCard): Promise<AuditEntry[]> {
  const { teamId, requestId, number, channel, message, at } = card;
  const hash = hashOf(card);
  const row = await trx
    .insertInto('shownCards')
    .columns(['teamId', 'requestId', 'number', 'hash', 'message', 'at'])
    .expression((eb) =>
      eb
        .selectFrom('revisions')
        .select((select) => [
          'teamId',
          'requestId',
          'number',
          select.val(hash).as('hash'),
          jsonb(message).as('message'),
          select.val(at).as('at'),
        ])
        .where('teamId', '=', teamId)
        .where('requestId', '=', requestId)
        .where('number', '=', number),
    )
    .onConflict((conflict) => conflict.columns(['teamId', 'requestId', 'number', 'hash']).doNothing())
    .returning('hash')
    .executeTakeFirst();
  if (row === undefined) return [];
  const line = revisionEntry({ teamId, requestId, number, digest: '' }, 'shown', 'system', at);
  return [{ ...line, data: { card: hash, channel } }];
}

/** The last message people saw of a revision before it was decided, or null; `isWhole` is false when it was tampered with. */
export async function last(
  db: Db,
  of: { teamId: string; requestId: string; number: number },
): Promise<{ message: Json; hash: string; at: Date; isWhole: boolean } | null> {
  const row = await db
    .selectFrom('shownCards')
    .select(['message', 'hash', 'at'])
    .where('teamId', '=', of.teamId)
    .where('requestId', '=', of.requestId)
    .where('number', '=', of.number)
    .orderBy('at', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, isWhole: hashOf({ message: jsonOf(row.message) }) === row.hash };
}
