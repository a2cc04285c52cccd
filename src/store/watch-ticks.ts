import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import * as inbox from './inbox.ts';
import { jsonb, storable } from './jsonb.ts';
import * as outbox from './outbox.ts';
import type { Db, WatchRow } from './tables.ts';
import type { Named } from './watches.ts';

/** Watches due to check or end now, at most 100 at once, `except` those. */
export function due(
  db: Db,
  teamId: string,
  { now, except }: { readonly now: Date; readonly except: readonly string[] },
): Promise<WatchRow[]> {
  return db
    .selectFrom('watches')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .where(({ or, eb }) => or([eb('nextAt', '<=', now), eb('until', '<=', now)]))
    .where(sql<boolean>`id <> all(${[...except]}::text[])`)
    .orderBy('nextAt')
    .limit(sql.lit(100))
    .execute();
}

/** Postpones a watch's next check. */
export async function putOff(db: Db, { teamId, id, until }: Named & { readonly until: Date }): Promise<void> {
  await db
    .updateTable('watches')
    .set({ nextAt: until })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/**
 * Claims a tick: the watch moves on to its next one, and the work is placed in this process's inbox. True for exactly
 * one caller, across processes and restarts; a null `event` only moves on.
 */
export function claim(
  db: Db,
  of: {
    readonly watch: Pick<WatchRow, 'teamId' | 'id' | 'nextAt'>;
    readonly next: Date;
    readonly missed: readonly Date[];
    readonly tick: { readonly at: Date; readonly key: string; readonly event: Json } | null;
    readonly messages: readonly outbox.OutboxMessage[];
    readonly executor: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { teamId, id, nextAt } = of.watch;
  return db.transaction().execute(async (trx) => {
    const moved = await trx
      .updateTable('watches')
      .set({ nextAt: of.next })
      .where('teamId', '=', teamId)
      .where('id', '=', id)
      // A manual edit may have more digits than a Date.
      .where(sql<Date>`date_trunc('milliseconds', next_at)`, '=', nextAt)
      .where('endedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (moved === undefined) return false;
    const ticks = [
      ...of.missed.map((tick) => ({ tick, state: 'missed' as const })),
      ...(of.tick === null ? [] : [{ tick: of.tick.at, state: 'fired' as const }]),
    ].map((tick) => ({ ...tick, teamId, schedule: id, at: of.now }));
    if (ticks.length > 0) {
      const insertion = trx.insertInto('scheduleTicks').values(ticks);
      await insertion.onConflict((conflict) => conflict.doNothing()).execute();
    }
    await outbox.enqueueAll(trx, of.messages);
    if (of.tick === null) return true;
    const { key, event } = of.tick;
    return inbox.store(trx, { teamId, key, event, executor: of.executor, at: of.now });
  });
}

/** The outcome of a check. */
interface Check extends Named {
  /** Identifies the check: it is stored once. */
  readonly key: string;
  readonly alarm: Json;
  readonly found: string;
  /** The request whose card or answer heads the problem's thread. */
  readonly problem: string | null;
  /** The check requests a plan, which is requested again if its process dies. */
  readonly asked: boolean;
  readonly at: Date;
  readonly messages: readonly outbox.OutboxMessage[];
}

/** Stores a check with its messages. False when it is already stored or the watch has ended. */
export function storeCheck(db: Db, of: Check): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('watches')
      .set({
        ...{ lookedAt: of.at, lookKey: of.key, found: storable(of.found), alarm: jsonb(of.alarm) },
        ...{ problem: of.problem, askedKey: of.asked ? of.key : null },
      })
      .where('teamId', '=', of.teamId)
      .where('id', '=', of.id)
      .where('endedAt', 'is', null)
      .where(sql<boolean>`look_key is distinct from ${of.key}`)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await outbox.enqueueAll(trx, of.messages);
    return true;
  });
}
