import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonb } from './encode.ts';
import { StoreError } from './errors.ts';
import type { Db } from './tables.ts';

/** Milliseconds that a delivery is remembered; Slack repeats one for an hour at most. */
const keepMs = 24 * 3_600_000;

export interface Accepted {
  readonly key: string;
  readonly event: Json;
  /** How often work on it began. */
  readonly attempts: number;
}

/** Stores what arrived. False for a repeated delivery, whichever process had it. */
export async function store(
  db: Db,
  entry: { teamId: string; key: string; event: Json; executor: string; at: Date },
): Promise<boolean> {
  const inserted = await spoken(insert(db, entry));
  return inserted !== undefined;
}

/** Nothing can be accepted on a full disk, so whoever reads the log must see what to do. */
async function spoken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === diskFull;
    throw isFull ? new StoreError('disk_full', fullWords, {}, error) : error;
  }
}

const diskFull = '53100';
const fullWords =
  'The disk of the database is full, so nothing can be accepted. Make room there: the bot goes on by itself.';

function insert(db: Db, entry: { teamId: string; key: string; event: Json; executor: string; at: Date }) {
  return db
    .insertInto('inbox')
    .values({ ...entry, event: jsonb(entry.event), attempts: 1, doneAt: null })
    .onConflict((conflict) => conflict.columns(['teamId', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
}

/** Forgets what it said; that it came is remembered. */
export async function done(db: Db, of: { teamId: string; key: string; at: Date }): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ event: null, doneAt: of.at })
    .where('teamId', '=', of.teamId)
    .where('key', '=', of.key)
    .execute();
}

/**
 * Takes over what processes accepted that are gone: whoever gets a dead one's lock, which it held for as long as it
 * lived, gets all of it. The lock is given back when the transaction ends.
 */
export function takeOver(db: Db, of: { teamId: string; executor: string }): Promise<Accepted[]> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Accepted>`
      with dead as materialized (
        select executor from (
          select distinct executor from inbox
          where team_id = ${of.teamId} and done_at is null and executor <> ${of.executor}) others
        where pg_try_advisory_xact_lock(hashtextextended('executor:' || executor, 0)))
      update inbox set executor = ${of.executor}, attempts = attempts + 1
      where team_id = ${of.teamId} and done_at is null and executor in (select executor from dead)
      returning key, event, attempts`.execute(trx);
    return rows;
  });
}

/** Forgets deliveries that Slack no longer repeats, at most 100 at once; answers how many. */
export async function removeOld(db: Db, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from inbox where ctid = any (array(
      select ctid from inbox where done_at < ${new Date(now.getTime() - keepMs)}
      order by done_at limit 100 for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** True when something with this key has arrived within the last day. */
export async function has(db: Db, of: { teamId: string; key: string }): Promise<boolean> {
  const row = await db
    .selectFrom('inbox')
    .select('key')
    .where('teamId', '=', of.teamId)
    .where('key', '=', of.key)
    .executeTakeFirst();
  return row !== undefined;
}
