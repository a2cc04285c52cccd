import { sql, type UpdateObject } from 'kysely';
import type { AuditEntry } from '../audit/chain.ts';
import { audited } from '../audit/ledger.ts';
import type { Json } from '../core/json.ts';
import * as inbox from './inbox.ts';
import { jsonb, jsonbOrNull, storable } from './jsonb.ts';
import * as outbox from './outbox.ts';
import type { Db, Tables, WatchRow } from './tables.ts';

export interface Named {
  readonly teamId: string;
  readonly id: string;
}

/** Who changes a watch, when, and the messages about it. */
interface Said extends Named {
  readonly by: string;
  readonly at: Date;
  readonly messages: readonly outbox.OutboxMessage[];
}

/** A watch before its first check. */
export type NewWatch = Pick<
  WatchRow,
  | 'teamId'
  | 'id'
  | 'owner'
  | 'goal'
  | 'entry'
  | 'plan'
  | 'planner'
  | 'every'
  | 'until'
  | 'worse'
  | 'channel'
  | 'threadTs'
  | 'createdAt'
  | 'nextAt'
  | 'alarm'
>;

export async function get(db: Db, { teamId, id }: Named): Promise<WatchRow | null> {
  const row = await db
    .selectFrom('watches')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Active watches, ordered by their next check. */
export function open(db: Db, teamId: string): Promise<WatchRow[]> {
  return db
    .selectFrom('watches')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .orderBy('nextAt')
    .orderBy('id')
    .limit(sql.lit(500))
    .execute();
}

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
 * Stores a person's watch with its audit line, unless the person or the workspace has reached the limit. Counted under
 * the lock of the audit chain, so that only one of two simultaneous requests gets the last place.
 */
export function insert(
  db: Db,
  watch: NewWatch,
  max: {
    readonly perPerson: number;
    readonly inAll: number;
    /** Messages sent when it is stored. */
    readonly messages: readonly outbox.OutboxMessage[];
  },
): Promise<'new' | 'known' | 'person_has_many' | 'there_are_many'> {
  const { teamId, id, owner, createdAt: at } = watch;
  return db.transaction().execute((trx) =>
    audited(trx, teamId, async () => {
      if ((await get(trx, watch)) !== null) return { value: 'known' as const, lines: [] };
      const people = (await open(trx, teamId)).filter(({ entry }) => entry === null);
      const own = people.filter((one) => one.owner === owner);
      if (own.length >= max.perPerson) return { value: 'person_has_many' as const, lines: [] };
      if (people.length >= max.inAll) return { value: 'there_are_many' as const, lines: [] };
      await trx.insertInto('watches').values(newColumns(watch)).execute();
      await outbox.enqueueAll(trx, max.messages);
      const { every, until } = watch;
      const data = { every, until: until?.toISOString() ?? null, goal: watch.goal };
      const line: AuditEntry = { teamId, at, kind: 'watch.made', actor: owner, subject: `watch:${id}`, data };
      return { value: 'new' as const, lines: [line] };
    }),
  );
}

/** The columns of a watch before its first check. */
export function newColumns(watch: NewWatch) {
  const { plan, every, worse, alarm, goal, ...rest } = watch;
  const none = { messageTs: null, endedAt: null, endedBy: null, endReason: null, problem: null };
  const fresh = { lookedAt: null, lookKey: null, askedKey: null, found: null };
  return {
    ...{ ...rest, ...none, ...fresh, goal: storable(goal), plan: jsonbOrNull(plan) },
    ...{ every: jsonb(every), worse: jsonb(worse), alarm: jsonb(alarm) },
  };
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
export interface Looked extends Named {
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
export function look(db: Db, of: Looked): Promise<boolean> {
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

export async function setMessage(db: Db, { teamId, id, ts }: Named & { ts: string }): Promise<void> {
  await db
    .updateTable('watches')
    .set({ messageTs: ts })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/**
 * Changes a watch's plan or schedule, with its audit line and messages. Earlier findings say nothing about the new
 * plan. False when it had ended.
 */
export function change(
  db: Db,
  of: Said & Pick<NewWatch, 'plan' | 'planner' | 'every' | 'until' | 'worse' | 'alarm' | 'nextAt'>,
): Promise<boolean> {
  const { planner, every, until, nextAt } = of;
  const values = {
    ...{ planner, until, nextAt, problem: null, found: null, lookKey: null, plan: jsonbOrNull(of.plan) },
    ...{ every: jsonb(every), worse: jsonb(of.worse), alarm: jsonb(of.alarm) },
  };
  return setOpen(db, of, values, {
    kind: 'watch.changed',
    data: { every, until: until?.toISOString() ?? null },
  });
}

/** Ends a watch once, with its audit line and messages. False when it had already ended. */
export function end(db: Db, of: Said & { readonly reason: string }): Promise<boolean> {
  const values = { endedAt: of.at, endedBy: of.by, endReason: storable(of.reason) };
  return setOpen(db, of, values, { kind: 'watch.ended', data: { reason: of.reason } });
}

/** Changes an active watch, with an audit line and messages. False when it had ended. */
function setOpen(
  db: Db,
  { teamId, id, by, at, messages }: Said,
  values: UpdateObject<Tables, 'watches'>,
  line: Pick<AuditEntry, 'kind' | 'data'>,
): Promise<boolean> {
  return audited(db, teamId, async (trx) => {
    const row = await trx
      .updateTable('watches')
      .set(values)
      .where('teamId', '=', teamId)
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return { value: false, lines: [] };
    await outbox.enqueueAll(trx, messages);
    return { value: true, lines: [{ ...line, teamId, at, actor: by, subject: `watch:${id}` }] };
  });
}
