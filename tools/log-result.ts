import type { logsKql } from '../manifests/logs.kql.ts';
import type { ResultOf } from '../src/core/manifest.ts';
import type { BoundQuery } from '../src/core/queries/bind.ts';
import { askGrouped } from './grouped-query.ts';
import { masked } from './mask-card-numbers.ts';
import { queryResult, topCode } from './query-result.ts';

/** The result of a log search, without personal data. */
export async function logResult(
  query: BoundQuery,
  source: Parameters<typeof askGrouped>[1],
): Promise<ResultOf<typeof logsKql>> {
  const asked = await askGrouped(query, source);
  return { ...queryResult(query, asked, masked), top_code: masked(topCode(asked.answer, query)) };
}
