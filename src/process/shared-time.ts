import { sql } from 'kysely';
import type { Db } from '../store/tables.ts';

/** The database's time, shared by all its processes. */
export interface SharedTime {
  now(): Date;
  /** Reads the database's time again: machine clocks drift and get adjusted. */
  compare(): Promise<void>;
}

/**
 * Processes compare each other's timestamps: the start of a write, the end of a lease, a due time. Clocks of two
 * machines may differ by any amount, so nobody uses their own. The error of the measured offset is the database's
 * response time; only an offset beyond that is corrected, so on a single machine nothing is.
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
