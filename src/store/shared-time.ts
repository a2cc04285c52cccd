import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The time of the database, which all its processes go by. */
export interface SharedTime {
  now(): Date;
  /** Asks the database for its time again: a machine's clock drifts, and is set. */
  compare(): Promise<void>;
}

/**
 * What one process writes another one compares: when a write was begun, until when a lease holds, when something is due.
 * The clocks of two machines may differ by any amount, so nobody goes by their own. How far it is off is known as exactly
 * as the database answers quickly; it is corrected by no more than that, so where both are one machine by nothing.
 */
export async function sharedTime(db: Db, machine: () => Date): Promise<SharedTime> {
  let aheadMs = 0;
  async function compare(): Promise<void> {
    const asked = machine().getTime();
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db);
    const answered = machine().getTime();
    for (const { time } of rows)
      aheadMs = Math.min(Math.max(aheadMs, time.getTime() - answered), time.getTime() - asked);
  }
  await compare();
  return { now: () => new Date(machine().getTime() + aheadMs), compare };
}
