import { sql } from 'kysely';
import { z } from 'zod';
import type { RunKey } from '../store/runs.ts';
import type { Db } from '../store/tables.ts';

export const runChannel = 'countersign_run';

const announced = z.tuple([z.string(), z.string()]);

/**
 * Notifies every process with a runner of a stored run. Only a wake-up: a process that misses it finds the run among
 * those without a holder.
 */
export async function announce(db: Db, { teamId, runId }: RunKey): Promise<void> {
  await sql`select pg_notify(${runChannel}, ${JSON.stringify([teamId, runId])})`.execute(db);
}

/** Null for anything not sent from here: any database user may notify. */
export function readAnnouncement(payload: string): RunKey | null {
  try {
    const [teamId, runId] = announced.parse(JSON.parse(payload));
    return { teamId, runId };
  } catch {
    return null;
  }
}
