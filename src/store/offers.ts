import { sql } from 'kysely';
import { z } from 'zod';
import type { RunKey } from './runs.ts';
import type { Db } from './tables.ts';

export const offerChannel = 'countersign_run';

const offerSchema = z.tuple([z.string(), z.string()]);

/**
 * Tells every process with a runner of a stored run. It is no more than a wake-up: whoever misses it finds the run
 * among those that nobody works on.
 */
export async function offer(db: Db, { teamId, runId }: RunKey): Promise<void> {
  await sql`select pg_notify(${offerChannel}, ${JSON.stringify([teamId, runId])})`.execute(db);
}

/** Null for what did not come from here: whoever may connect to the database may notify. */
export function readOffer(payload: string): RunKey | null {
  try {
    const [teamId, runId] = offerSchema.parse(JSON.parse(payload));
    return { teamId, runId };
  } catch {
    return null;
  }
}
