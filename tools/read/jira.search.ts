import { jiraSearch as manifest } from '../../manifests/jira.search.ts';
import { cut, oneLine } from '../../src/core/inert.ts';
import type { IssueRow } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';

/** Issues in a list when the plan does not say. */
const usualLimit = 20;
/** Characters of a summary in a line; with 50 lines the list stays below its limit of 8,000. */
const maxSummary = 80;
const maxWord = 24;

export const jiraSearch = defineRead(
  manifest,
  async ({ order = 'newest', limit = usualLimit, ...filter }, { readers, now, signal }) => {
    const found = await readers.jira.search(issueQuery(filter), { limit, order }, signal);
    const [first] = found.issues;
    return {
      total: found.issues.length,
      more: found.more,
      keys: found.issues.map((issue) => issue.key),
      ...(first === undefined ? {} : { first: first.key, ...ageOf(first, now()) }),
      lines: found.issues.map(issueLine).join('\n'),
      jql: shownJql(found.jql),
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
