import type { ModelUsage } from '../core/planning.ts';
import * as usage from '../store/usage.ts';
import type { World } from './world.ts';

/** Every call of a model is a row, also when it was of no use: budgets and cards count them. */
export async function recordUsage(
  { db, teamId, now }: Pick<World, 'db' | 'teamId' | 'now'>,
  requestId: string | null,
  purpose: string,
  spent: ModelUsage | null,
): Promise<void> {
  if (spent === null || spent.calls === 0) return;
  const { model, promptTokens, cachedTokens, completionTokens, usd, ms } = spent;
  const row = { model, promptTokens, cachedTokens, completionTokens, usd, ms: Math.round(ms) };
  await usage.record(db, { teamId, requestId, purpose, at: now(), ...row });
}
