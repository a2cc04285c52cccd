import { sqlQuery as manifest } from '../../manifests/sql.query.ts';
import { defineRead } from '../../src/core/tool.ts';
import { askGrouped } from '../grouped-query.ts';
import { isCut, rowLines, shownRows, targetsIn, totalOf } from '../query-result.ts';

export const sqlQuery = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('sql', args, now());
  const source = { reader: readers.databases, zone: readers.calendar.zone, signal };
  const { answer, groups } = await askGrouped(query, source);
  return {
    total: totalOf(answer, query),
    lines: rowLines(answer),
    truncated: isCut(answer),
    ...shownRows(answer),
    ...groups,
    ...targetsIn(answer, query),
    over: query.over,
    assumed: query.assumed,
    ran: query.template?.name ?? 'a handwritten query',
  };
});
