import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import * as inbox from './inbox.ts';
import { jsonb } from './jsonb.ts';
import { setState } from './requests.ts';
import type { Db } from './tables.ts';
import { get, type Named, type NewWatch, newColumns } from './watches.ts';

/**
 * Synchronises the operator's watches with their file: new or changed entries start over, removed ones end. An entry
 * that somebody ended stays ended until it changes. Several processes may do this at once.
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

/** Restarts the file's watches when it is read next, including ended ones. */
export async function beginAnew(db: Db, teamId: string): Promise<void> {
  await db
    .updateTable('watches')
    .set({ entry: '' })
    .where('teamId', '=', teamId)
    .where('entry', 'is not', null)
    .execute();
}

/**
 * Stores the plan made for the goal of a file watch, closes the request that it was made for, and leaves its first
 * check to the inbox. The check that asked for the plan stays the last one: if it is repeated, it does nothing.
 */
export function setPlan(
  db: Db,
  of: Named & {
    readonly plan: Json;
    readonly planner: string;
    readonly requestId: string;
    readonly check: { readonly key: string; readonly event: Json };
    readonly at: Date;
  },
): Promise<void> {
  const { teamId, id, plan, planner, requestId, check, at } = of;
  const fresh = { lookedAt: null, askedKey: null, found: null, problem: null };
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('watches')
      .set({ plan: jsonb(plan), planner, ...fresh })
      .where('teamId', '=', teamId)
      .where('id', '=', id)
      .execute();
    await setState(trx, { teamId, id: requestId, to: 'closed' });
    await inbox.leave(trx, { teamId, ...check, at });
  });
}
