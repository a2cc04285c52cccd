import { logsKql as manifest } from '../../manifests/logs.kql.ts';
import { defineRead } from '../../src/core/tool.ts';
import { logResult } from '../log-result.ts';

export const logsKql = defineRead(manifest, (args, { readers, now, signal }) => {
  const query = readers.queries.bind('kql', args, now());
  return logResult(query, { reader: readers.azure, zone: readers.calendar.zone, signal });
});
