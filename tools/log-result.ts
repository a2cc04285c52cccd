import type { logsKql } from '../manifests/logs.kql.ts';
import type { ResultOf } from '../src/core/manifest.ts';
import type { BoundQuery } from '../src/core/queries/bind.ts';
import { askGrouped } from './grouped-query.ts';
import { masked } from './mask-card-numbers.ts';
import { isCut, rowLines, shownRows, targetsIn, topCode, totalOf } from './query-result.ts';

/** The result of a log search, without personal data. */
export async function logResult(
  query: BoundQuery,
  source: Parameters<typeof askGrouped>[1],
): Promise<ResultOf<typeof logsKql>> {
  const { answer, groups } = await askGrouped(query, source);
  return {
    total: totalOf(answer, query),
    top_code: masked(topCode(answer, query)),
    lines: masked(rowLines(answer)),
    truncated: isCut(answer),
    ...shownRows(answer, masked),
    ...groups,
    ...targetsIn(answer, query),
    over: query.over,
    assumed: masked(query.assumed),
    ran: query.template?.name ?? 'a handwritten query',
  };
}
