import { queryWritten as manifest } from '../../manifests/query.written.ts';
import { defineRead } from '../../src/core/tool.ts';
import { masked } from '../mask-card-numbers.ts';
import { maxRows, queryResult } from '../query-result.ts';

export const queryWritten = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind(args.language, args, now());
  const sources = { sql: readers.databases, kql: readers.azure, spl: readers.splunk };
  const answer = await sources[args.language].run(query, maxRows, signal);
  return queryResult(query, { answer, groups: {} }, masked);
});
