import { sql } from 'kysely';
import { z } from 'zod';
import type { RunKey } from './runs.ts';
import type { Db } from './tables.ts';

export const offerChannel = 'countersign_run';

const offerSchema = z.tuple([z.string(), z.string()]);

/**
 * Notifies every process with a runner of a stored run. Only a wake-up: a process that misses it finds the run among
 * those without a holder.
 */
export async function offer(db: Db, { teamId, runId }: RunKey): Promise<void> {
  await sql`select pg_notify(${offerChannel}, ${JSON.stringify([teamId, runId])})`.execute(db);
}

/** Null for anything not sent from here: any database user may notify. */
export function readOffer(payload: string): RunKey | null {
  try {
    const [teamId, runId] = offerSchema.parse(JSON.parse(payload));
    return { teamId, runId };
  } catch {
    return null;
  }
}
