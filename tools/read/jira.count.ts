import { jiraCount as manifest } from '../../manifests/jira.count.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';

export const jiraCount = defineRead(manifest, async (args, { readers, asker, signal }) => {
  const counted = await readers.jira.count({ ...issueQuery(args), asker }, signal);
  return { total: counted.total, approximate: counted.approximate, ...shownJql(counted) };
});
