import { sql } from 'kysely';
import type { Db, ModelCallRow } from './tables.ts';

export interface Usage {
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly usd: number;
}

/** Stores what one call of a model took. */
export async function record(db: Db, call: ModelCallRow): Promise<void> {
  await db.insertInto('modelCalls').values(call).execute();
}

/** What the calls for one request took together. */
export async function usageOf(db: Db, teamId: string, requestId: string): Promise<Usage> {
  return sum(db, { teamId, requestId });
}

/** What a team's calls took together since a moment, for budgets. */
export async function usageSince(db: Db, teamId: string, since: Date): Promise<Usage> {
  return sum(db, { teamId, since });
}

async function sum(db: Db, filter: { teamId: string; requestId?: string; since?: Date }): Promise<Usage> {
  const { teamId, requestId, since } = filter;
  return db
    .selectFrom('modelCalls')
    .select((select) => select.fn.countAll<number>().as('calls'))
    .select([
      sql<number>`coalesce(sum(prompt_tokens), 0)`.as('promptTokens'),
      sql<number>`coalesce(sum(cached_tokens), 0)`.as('cachedTokens'),
      sql<number>`coalesce(sum(completion_tokens), 0)`.as('completionTokens'),
      sql<number>`coalesce(sum(usd), 0)`.as('usd'),
    ])
    .where('teamId', '=', teamId)
    .$if(requestId !== undefined, (query) => query.where('requestId', '=', requestId ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? new Date(0)))
    .executeTakeFirstOrThrow();
}
