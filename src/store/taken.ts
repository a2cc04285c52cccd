import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Milliseconds that a delivery is remembered; Slack repeats one for an hour at most. */
const keepMs = 24 * 3_600_000;
/** Old ones that one delivery clears away: more than it adds, and few enough after a busy day and a pause. */
const sweep = 20;

/**
 * True for the first process that takes this delivery, ever; a repeated one finds it taken, also after a restart.
 * Only for what would otherwise be done twice: most repetitions change nothing by themselves.
 */
export async function takeOnce(
  db: Db,
  delivery: { readonly teamId: string; readonly key: string; readonly at: Date },
): Promise<boolean> {
  const { teamId, key, at } = delivery;
  await sql`
    delete from taken where ctid = any (array(
      select ctid from taken where at < ${new Date(at.getTime() - keepMs)}
      order by at limit ${sweep} for update skip locked))`.execute(db);
  const inserted = await db
    .insertInto('taken')
    .values({ teamId, key, at })
    .onConflict((conflict) => conflict.columns(['teamId', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}
