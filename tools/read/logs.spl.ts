import { logsSpl as manifest } from '../../manifests/logs.spl.ts';
import { defineRead } from '../../src/core/tool.ts';
import { logResult } from '../log-result.ts';

export const logsSpl = defineRead(manifest, (args, { readers, now, signal }) => {
  const query = readers.queries.bind('spl', args, now());
  return logResult(query, { reader: readers.splunk, zone: readers.calendar.zone, signal });
});
