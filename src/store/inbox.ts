import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { Json } from '../core/json.ts';
import { StoreError } from './errors.ts';
import { jsonb } from './jsonb.ts';
import { lockOf } from './processes.ts';
import type { Db } from './tables.ts';

/** Milliseconds that a delivery is remembered; Slack repeats one for an hour at most. */
const keepMs = 24 * 3_600_000;

export interface Accepted {
  readonly key: string;
  readonly event: Json;
  /** Number of attempts started. */
  readonly attempts: number;
}

export interface Entry {
  readonly teamId: string;
  readonly key: string;
  readonly event: Json;
  readonly executor: string;
  readonly at: Date;
}

/** Stores an arrival. False for a repeated delivery, whichever process got the first. */
export async function store(db: Db, entry: Entry): Promise<boolean> {
  return (await spoken(storeAll(db, [entry]))).size === 1;
}

/** No process: the next recovery pass of any front takes it up. */
export const nobody = 'nobody';

/** Leaves an event to whichever process takes it up first; repeating it changes nothing. */
export async function leave(db: Db, entry: Omit<Entry, 'executor'>): Promise<void> {
  await store(db, { ...entry, executor: nobody });
}

/** Leaves an event that this process could not work on to any; it has to be open still. */
export async function giveBack(db: Db, of: { teamId: string; key: string }): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ executor: nobody })
    .where('teamId', '=', of.teamId)
    .where('key', '=', of.key)
    .where('doneAt', 'is', null)
    .execute();
}

/** Nothing can be accepted on a full disk, so the log must say what to do. */
async function spoken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === diskFull;
    throw isFull ? new StoreError('disk_full', fullWords, {}, error) : error;
  }
}

/** Stores a row of typical size and rolls it back. Throws `disk_full` as `store` does. */
export async function tryStoring(db: Db, at: Date): Promise<void> {
  const event = { filler: Array.from({ length: 200 }, () => randomUUID()) };
  const trx = await db.startTransaction().execute();
  try {
    await spoken(storeAll(trx, [{ teamId: '', key: 'room', event, executor: '', at }]));
  } finally {
    await trx.rollback().execute();
  }
}

const diskFull = '53100';
const fullWords =
  'The disk of the database is full, so nothing can be accepted. Make room there: the bot goes on by itself.';

/** Stores them in one statement; returns the new keys, each with its team. */
export async function storeAll(db: Db, entries: readonly Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const rows = entries.map(({ teamId, key, event, executor, at }) => ({
    ...{ team_id: teamId, key, event, executor, at: at.toISOString() },
  }));
  const { rows: fresh } = await sql<Pick<Entry, 'teamId' | 'key'>>`
    insert into inbox (team_id, key, event, executor, at, attempts)
    select team_id, key, event, executor, at, 1
    from jsonb_to_recordset(${jsonb(rows)}) as entry (team_id text, key text, event jsonb, executor text, at timestamptz)
    on conflict (team_id, key) do nothing
    returning team_id, key`.execute(db);
  return new Set(fresh.map(nameOf));
}

const nameOf = ({ teamId, key }: Pick<Entry, 'teamId' | 'key'>): string => `${teamId} ${key}`;

/**
 * Like `store`, for bursts: entries that arrive while a batch is being written form the next batch, so that 50 at once
 * take 8 ms instead of 240. If Postgres rejects
 * a batch, its entries are stored one by one.
 */
export function storeTogether(db: Db): (entry: Entry) => Promise<boolean> {
  let waiting: { readonly entry: Entry; readonly end: PromiseWithResolvers<boolean> }[] = [];
  let isBusy = false;
  async function drain(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const entries = batch.map(({ entry }) => entry);
      const fresh = await spoken(storeAll(db, entries)).catch((error: unknown) => error);
      for (const { entry, end } of batch) {
        // Of two identical entries, one is new.
        if (fresh instanceof Set) end.resolve(fresh.delete(nameOf(entry)));
        // Postgres rejected one of them. Without an answer we cannot know whether they were stored.
        else if (fresh instanceof DatabaseError && batch.length > 1) end.resolve(store(db, entry));
        else end.reject(fresh);
      }
    }
    isBusy = false;
  }
  return (entry) => {
    const end = Promise.withResolvers<boolean>();
    waiting.push({ entry, end });
    if (!isBusy) void drain();
    return end.promise;
  };
}

/** Deletes the content; the key is remembered. */
export async function done(db: Db, of: { teamId: string; key: string; at: Date }): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ event: null, doneAt: of.at })
    .where('teamId', '=', of.teamId)
    .where('key', '=', of.key)
    .execute();
}

/**
 * Takes over everything accepted by dead processes, or left to any: a process holds its lock as long as it lives, and whoever gets a
 * dead one's lock gets all of its entries. The lock is released when the transaction ends.
 */
export function takeOver(db: Db, of: { teamId: string; executor: string }): Promise<Accepted[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Accepted>`
      with dead as materialized (
        select executor from (
          select distinct executor from inbox
          where team_id = ${of.teamId} and done_at is null and executor <> ${of.executor}) others
        where pg_try_advisory_xact_lock(${sql.raw(lockOf('executor'))}))
      update inbox set executor = ${of.executor}, attempts = attempts + 1
      where team_id = ${of.teamId} and done_at is null and executor in (select executor from dead)
      returning key, event, attempts`.execute(trx);
    return rows;
  });
}

/** True for the first entry with this key within a day; it carries no work. */
export async function first(
  db: Db,
  { teamId, key, at }: { teamId: string; key: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into inbox (team_id, key, event, executor, at, attempts, done_at)
    values (${teamId}, ${key}, null, '', ${at}, 0, ${at}) on conflict (team_id, key) do nothing returning key`.execute(
    db,
  );
  return rows.length === 1;
}

/** Deletes deliveries that Slack no longer repeats, at most 100 at once; returns the number. */
export async function removeOld(db: Db, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from inbox where ctid = any (array(
      select ctid from inbox where done_at < ${new Date(now.getTime() - keepMs)}
      order by done_at limit 100 for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** True when an entry with this key arrived within the last day. */
export async function has(db: Db, of: { teamId: string; key: string }): Promise<boolean> {
  const row = await db
    .selectFrom('inbox')
    .select('key')
    .where('teamId', '=', of.teamId)
    .where('key', '=', of.key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes unfinished arrivals of a workspace: there is nobody left to answer. */
export async function forgetAll(db: Db, { teamId, at }: { teamId: string; at: Date }): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ event: null, doneAt: at })
    .where('teamId', '=', teamId)
    .where('doneAt', 'is', null)
    .execute();
}
