import { jiraSearch as manifest } from '../../manifests/jira.search.ts';
import { cut, oneLine } from '../../src/core/inert.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';

type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];

/** Issues in a list when the plan does not say. */
const usualLimit = 20;
/** Characters of the list. */
const maxLines = 8_000;
/** Characters of a summary in a line; mostly 50 lines then fit. */
const maxSummary = 80;
const maxWord = 24;

export const jiraSearch = defineRead(
  manifest,
  async ({ order = 'newest', limit = usualLimit, ...filter }, { readers, now, signal }) => {
    const query = issueQuery(filter);
    const found = await readers.jira.search(query, { limit, order }, signal);
    const [first] = found.issues;
    const listed = found.issues.length;
    return {
      // A condition on the number must not stop at the length of the list.
      total: found.more ? Math.max((await readers.jira.count(query, signal)).total, listed + 1) : listed,
      more: found.more,
      keys: found.issues.map((issue) => issue.key),
      ...(first === undefined ? {} : { first: first.key, ...ageOf(first, now()) }),
      rows: found.issues.map((issue) => ({
        key: issue.key,
        link: issue.url,
        summary: cut(oneLine(issue.summary), 500),
        status: cut(oneLine(issue.status), 60),
        priority: cut(oneLine(issue.priority), 40),
        assignee: cut(oneLine(issue.assignee), 200),
      })),
      lines: cut(found.issues.map(issueLine).join('\n'), maxLines),
      ...shownJql(found),
    };
  },
);

/** Jira writes offsets without a colon (`+0000`), which ISO 8601 dates do not have. */
function ageOf(issue: IssueRow, now: Date): { first_age_minutes?: number } {
  const created = Date.parse(issue.created.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (Number.isNaN(created)) return {};
  return { first_age_minutes: Math.max(0, Math.floor((now.getTime() - created) / 60_000)) };
}

function issueLine(issue: IssueRow): string {
  const facts = [issue.status, issue.priority, issue.assignee || 'unassigned'];
  const known = facts.filter((fact) => fact !== '').map((fact) => cut(oneLine(fact), maxWord));
  return `${issue.key}  ${cut(oneLine(issue.summary), maxSummary)}  (${known.join(', ')})`;
}
