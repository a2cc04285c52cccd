import { sqlQuery as manifest } from '../../manifests/sql.query.ts';
import { defineRead } from '../../src/core/tool.ts';
import { askGrouped } from '../grouped-query.ts';
import { queryResult } from '../query-result.ts';

export const sqlQuery = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('sql', args, now());
  const source = { reader: readers.databases, zone: readers.calendar.zone, signal };
  return queryResult(query, await askGrouped(query, source));
});
