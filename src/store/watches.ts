import { sql, type UpdateObject } from 'kysely';
import type { AuditEntry } from '../audit/chain.ts';
import { audited } from '../audit/ledger.ts';
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
