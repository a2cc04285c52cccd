import { sql } from 'kysely';
import type { ModelUsage } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
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

/** The daily budget for models, shared by planning and runs. */
export interface DayBudget {
  /** US dollars spent on the day of `now`, UTC. */
  spentToday(now: Date): Promise<number>;
  /** US dollars left today; without any, no model is called. */
  left(): Promise<number>;
  /** Stores the cost of a call, even of a useless answer. */
  record(purpose: string, spent: ModelUsage): Promise<void>;
}

interface Deps {
  readonly db: Db;
  readonly teamId: string;
  readonly now: () => Date;
}

export function dayBudget(deps: Deps, { caps }: Policy): DayBudget {
  const { db, teamId, now } = deps;
  const spentToday = (day: Date) => usdSince(db, teamId, startOfDay(day));
  return {
    spentToday,
    left: async () => caps.modelUsdPerDay - (await spentToday(now())),
    record: (purpose, spent) => recordUsage(deps, null, purpose, spent),
  };
}

/** Every model call is stored, even a useless one: budgets and cards count them. */
export async function recordUsage(
  { db, teamId, now }: Deps,
  requestId: string | null,
  purpose: string,
  spent: ModelUsage | null,
): Promise<void> {
  if (spent === null || spent.calls === 0) return;
  const { model, promptTokens, cachedTokens, completionTokens, usd, ms } = spent;
  const row = { model, promptTokens, cachedTokens, completionTokens, usd, ms: Math.round(ms) };
  await record(db, { teamId, requestId, purpose, at: now(), ...row });
}

/** 00:00 UTC of a day. */
function startOfDay(day: Date): Date {
  return new Date(day.toISOString().slice(0, 10));
}
