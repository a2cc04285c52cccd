import { queryWritten as manifest } from '../../manifests/query.written.ts';
import { defineRead } from '../../src/core/tool.ts';
import { masked } from '../mask-card-numbers.ts';
import { isCut, maxRows, rowLines, shownRows, totalOf } from '../query-result.ts';

export const queryWritten = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind(args.language, args, now());
  const sources = { sql: readers.databases, kql: readers.azure, spl: readers.splunk };
  const answer = await sources[args.language].run(query, maxRows, signal);
  return {
    total: totalOf(answer, query),
    lines: masked(rowLines(answer)),
    truncated: isCut(answer),
    ...shownRows(answer, masked),
    over: query.over,
    assumed: query.assumed,
    ran: 'a written query',
  };
});
