import { sql } from 'kysely';
import type { JsonObject } from '../core/json.ts';
import type { CheckDue } from '../core/run.ts';
import { jsonb, storable } from './jsonb.ts';
import type { RunKey } from './runs.ts';
import type { CheckRow, Db } from './tables.ts';

/** Stores the checks that a run's end leaves open. */
export async function open(db: Db, { teamId, runId }: RunKey, checks: readonly CheckDue[]): Promise<void> {
  if (checks.length === 0) return;
  const rows = checks.map(({ stepId, lookAt, until }): JsonObject => {
    return { step_id: stepId, look_at: lookAt, until };
  });
  await sql`
    insert into checks (team_id, run_id, step_id, look_at, until)
    select ${teamId}, ${runId}, c.* from jsonb_to_recordset(${jsonb(rows)}) as c
      (step_id text, look_at timestamptz, until timestamptz)
    on conflict do nothing`.execute(db);
}

type CheckKey = Pick<CheckRow, 'teamId' | 'runId' | 'stepId'>;

export async function lookAgain(db: Db, { teamId, runId, stepId }: CheckKey, lookAt: Date): Promise<void> {
  await sql`
    update checks set look_at = ${lookAt}
    where team_id = ${teamId} and run_id = ${runId} and step_id = ${stepId} and outcome is null`.execute(db);
}

/** Ends a check; false when it has ended already. */
export async function end(
  db: Db,
  { teamId, runId, stepId }: CheckKey,
  { outcome, words, at }: { outcome: NonNullable<CheckRow['outcome']>; words: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update checks set outcome = ${outcome}, words = ${storable(words)}, ended_at = ${at}, look_at = null
    where team_id = ${teamId} and run_id = ${runId} and step_id = ${stepId} and outcome is null
    returning step_id`.execute(db);
  return rows.length > 0;
}

export async function ofRun(db: Db, { teamId, runId }: RunKey): Promise<CheckRow[]> {
  return db
    .selectFrom('checks')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('runId', '=', runId)
    .orderBy('until')
    .execute();
}
