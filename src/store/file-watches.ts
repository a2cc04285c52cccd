import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb } from './encode.ts';
import type { Db } from './tables.ts';
import { get, type Named, type NewWatch, newColumns } from './watches.ts';

/**
 * Makes the operator's watches what their file says: an entry that is new or changed begins anew, one that is gone ends.
 * An entry that somebody ended stays so until it changes. Several processes may do it at once.
 */
export function syncFile(db: Db, teamId: string, entries: readonly NewWatch[], now: Date): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`watches:${teamId}`}, 0))`.execute(trx);
    const ids = entries.map(({ id }) => id);
    await trx
      .updateTable('watches')
      .set({ endedAt: now, endedBy: 'system', endReason: 'It is no longer in countersign.yml.', entry: '' })
      .where('teamId', '=', teamId)
      .where('entry', 'is not', null)
      .where('endedAt', 'is', null)
      .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
      .execute();
    for (const entry of entries) {
      const known = await get(trx, entry);
      if (known?.entry === entry.entry) continue;
      await trx.deleteFrom('watches').where('teamId', '=', teamId).where('id', '=', entry.id).execute();
      const kept = known === null ? {} : { createdAt: known.createdAt };
      await trx
        .insertInto('watches')
        .values({ ...newColumns(entry), ...kept })
        .execute();
    }
  });
}

/** Lets the watches of the file begin anew when it is read next, those that were ended as well. */
export async function beginAnew(db: Db, teamId: string): Promise<void> {
  await db
    .updateTable('watches')
    .set({ entry: '' })
    .where('teamId', '=', teamId)
    .where('entry', 'is not', null)
    .execute();
}

/** Gives a watch of the operator's file the plan that its goal came to; its first look is still to come. */
export async function setPlan(
  db: Db,
  { teamId, id, plan, planner }: Named & { plan: Json; planner: string },
): Promise<void> {
  const fresh = { lookedAt: null, lookKey: null, askedKey: null, found: null, problem: null };
  await db
    .updateTable('watches')
    .set({ plan: jsonb(plan), planner, ...fresh })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}
