import { sql } from 'kysely';
import { moment } from './jsonb.ts';
import type { Db, ModelCallRow } from './tables.ts';

/** Stores the usage of one model call. */
export async function record(db: Db, call: ModelCallRow): Promise<void> {
  await db.insertInto('modelCalls').values(call).execute();
}

/** Total US dollars of a team's calls since a moment, for budgets. */
export async function usdSince(db: Db, teamId: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('modelCalls')
    .select(sql<number>`coalesce(sum(usd), 0)`.as('usd'))
    .where('teamId', '=', teamId)
    .where('at', '>=', moment(since))
    .executeTakeFirstOrThrow();
  return row.usd;
}
