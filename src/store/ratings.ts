import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import { storable } from './jsonb.ts';
import { revisionEntry } from './revisions.ts';
import type { Db, RatingRow } from './tables.ts';

type Rated = Omit<RatingRow, 'why'> & { readonly digest: string };

/** Stores a person's rating of a plan in place of their last one; a repeated one changes nothing. */
export function rate(db: Db, { digest, ...rated }: Rated): Promise<void> {
  return audited(db, rated.teamId, async (trx) => {
    const { rating, userId, at } = rated;
    const changed = await trx
      .insertInto('ratings')
      .values({ ...rated, why: null })
      .onConflict((conflict) =>
        conflict
          .columns(['teamId', 'requestId', 'number', 'userId'])
          .doUpdateSet({ rating, why: null, at })
          .where('ratings.rating', '<>', rating),
      )
      .returning('at')
      .executeTakeFirst();
    const line = revisionEntry({ ...rated, digest }, 'rated', userId, at, { rating });
    return { value: undefined, lines: changed === undefined ? [] : [line] };
  });
}

/** Keeps why a person rated a plan as not helpful, while they still do. Their words are deleted with the plan. */
export async function explain(
  db: Db,
  { teamId, requestId, number, userId, why }: Omit<RatingRow, 'rating' | 'at'> & { readonly why: string },
): Promise<void> {
  await db
    .updateTable('ratings')
    .set({ why: storable(why) })
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .where('number', '=', number)
    .where('userId', '=', userId)
    .where('rating', '=', sql.lit('unhelpful'))
    .execute();
}
