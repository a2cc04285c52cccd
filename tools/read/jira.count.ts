import { isTime } from '../../manifests/group-words.ts';
import { jiraCount as manifest } from '../../manifests/jira.count.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { grouped } from '../grouped.ts';
import { issueQuery, shownJql } from './issue-query.ts';

type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];

/** Maximum issues that are read to group them. */
const maxGrouped = 1_000;

export const jiraCount = defineRead(manifest, async ({ by, ...filter }, { readers, asker, signal }) => {
  const query = { ...issueQuery(filter), asker };
  const counted = await readers.jira.count(query, signal);
  const whole = { total: counted.total, approximate: counted.approximate, ...shownJql(counted) };
  if (by === undefined) return whole;
  const found = await readers.jira.search(query, { limit: maxGrouped, order: 'newest' }, signal);
  const isClosed = filter.status === 'closed' || filter.status === 'done';
  const all = [
    ...found.issues.map((issue) => ({ of: groupOf(issue, by, isClosed), count: 1 })),
    // Issues without a field that Jira left out are counted, not left out.
    ...(isTime(by) ? [] : (found.odd ?? []).map(() => ({ of: 'could not be read', count: 1 }))),
  ];
  return {
    ...whole,
    ...(found.more ? { counted: all.length } : { total: found.issues.length + (found.odd ?? []).length }),
    ...grouped(all, { by, zone: readers.calendar.zone, what: 'tickets' }),
  };
});

function groupOf(issue: IssueRow, by: string, isClosed: boolean): string | Date {
  if (isTime(by)) return isClosed ? (issue.resolved ?? issue.created) : issue.created;
  if (by === 'project') return issue.key.replace(/-\d+$/, '');
  if (by === 'assignee') return issue.assignee === '' ? 'nobody' : issue.assignee;
  return by === 'priority' ? issue.priority : issue.status;
}
