import { logsSpl as manifest } from '../../manifests/logs.spl.ts';
import { defineRead } from '../../src/core/tool.ts';
import { logResult } from '../log-result.ts';
import { maxRows } from '../query-result.ts';

export const logsSpl = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('spl', args, now());
  return logResult(await readers.splunk.run(query, maxRows, signal), query);
});
