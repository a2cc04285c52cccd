import { logsKql as manifest } from '../../manifests/logs.kql.ts';
import { defineRead } from '../../src/core/tool.ts';
import { logResult } from '../log-result.ts';
import { maxRows } from '../query-result.ts';

export const logsKql = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('kql', args, now());
  return logResult(await readers.azure.run(query, maxRows, signal), query);
});
