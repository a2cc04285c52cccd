import type { Db, TickRow, TickState } from './tables.ts';

/** Takes a tick of a schedule. True for one caller, whatever the number of processes; false for all others. */
export async function claim(
  db: Db,
  tick: { teamId: string; schedule: string; tick: Date; state: TickState; at: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('scheduleTicks')
    .values(tick)
    .onConflict((conflict) => conflict.columns(['teamId', 'schedule', 'tick']).doNothing())
    .returning('tick')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The newest tick of a schedule (in one state, when given), or null before its first. */
export async function last(
  db: Db,
  teamId: string,
  schedule: string,
  state?: TickState,
): Promise<TickRow | null> {
  const row = await db
    .selectFrom('scheduleTicks')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('schedule', '=', schedule)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'fired'))
    .orderBy('tick', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
