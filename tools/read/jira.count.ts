import { jiraCount as manifest } from '../../manifests/jira.count.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';

export const jiraCount = defineRead(manifest, async (args, { readers, signal }) => {
  const { total, approximate, jql } = await readers.jira.count(issueQuery(args), signal);
  return { total, approximate, jql: shownJql(jql) };
});
