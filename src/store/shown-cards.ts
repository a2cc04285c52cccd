import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import { canonicalJson, sha256 } from '../core/canonical.ts';
import { type Json, jsonOf } from '../core/json.ts';
import { jsonb } from './jsonb.ts';
import { revisionEntry } from './revisions.ts';
import type { Db } from './tables.ts';

export interface ShownCard {
  readonly teamId: string;
  readonly requestId: string;
  readonly number: number;
  readonly channel: string;
  /** The message as sent to Slack. */
  readonly message: Json;
  readonly at: Date;
}

/**
 * Stores the card that people are about to see for a revision open to decisions, with an audit line carrying its hash:
 * what was approved can be inspected as displayed. Repeating the same message changes nothing.
 */
export function record(db: Db, card: ShownCard): Promise<void> {
  const { teamId, requestId, number, channel, message, at } = card;
  const hash = sha256(canonicalJson(message));
  return audited(db, teamId, async (trx) => {
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
    if (row === undefined) return { value: undefined, lines: [] };
    const about = { teamId, requestId, number, digest: '' };
    const line = revisionEntry(about, 'shown', 'system', at);
    return { value: undefined, lines: [{ ...line, data: { card: hash, channel } }] };
  });
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
  return { ...row, isWhole: sha256(canonicalJson(jsonOf(row.message))) === row.hash };
}
