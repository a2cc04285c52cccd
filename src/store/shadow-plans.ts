import { sql } from 'kysely';
import { type Plan, planSchema } from '../core/plan.ts';
import { jsonb } from './jsonb.ts';
import type { Period } from './statistics.ts';
import type { Db, ShadowPlanRow } from './tables.ts';

/** Stores what a second planner made of a request; of a conversation, the last. */
export async function keep(db: Db, { plan, ...row }: ShadowPlanRow): Promise<void> {
  const values = { ...row, plan: plan === null ? null : jsonb(plan) };
  await db
    .insertInto('shadowPlans')
    .values(values)
    .onConflict((conflict) => conflict.columns(['teamId', 'requestId']).doUpdateSet(values))
    .execute();
}

/** A second planner's answer to a request. */
export interface ShadowPlan
  extends Pick<ShadowPlanRow, 'requestId' | 'shown' | 'planner' | 'kind' | 'shownKind'> {
  readonly plan: Plan | null;
}

export async function shadowPlans(db: Db, { teamIds, since }: Period): Promise<ShadowPlan[]> {
  const rows = await db
    .selectFrom('shadowPlans')
    .select(['requestId', 'shown', 'planner', 'kind', 'shownKind', 'plan'])
    .where('teamId', '=', sql<string>`any(${[...teamIds]}::text[])`)
    .where('at', '>=', since)
    .execute();
  return rows.map((row) => ({ ...row, plan: planSchema.safeParse(row.plan).data ?? null }));
}
