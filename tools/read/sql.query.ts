import { sqlQuery as manifest } from '../../manifests/sql.query.ts';
import { defineRead } from '../../src/core/tool.ts';
import { isCut, maxRows, rowLines, shownRows, totalOf } from '../query-result.ts';

export const sqlQuery = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('sql', args, now());
  const answer = await readers.databases.run(query, maxRows, signal);
  return {
    total: totalOf(answer, query),
    lines: rowLines(answer),
    truncated: isCut(answer),
    ...shownRows(answer),
    over: query.over,
    assumed: query.assumed,
    ran: query.template?.name ?? 'a handwritten query',
  };
});
