import { jiraSearch as manifest } from '../../manifests/jira.search.ts';
import { cut, oneLine } from '../../src/core/inert.ts';
import type { ResultOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';
import { issueLine, minutesSince } from './issue-words.ts';
import { fittedLines } from './lines.ts';

type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];

/** Issues in a list when the plan does not say. */
const usualLimit = 20;
/** Issues that a result has field by field; the keys of all of them stand beside that. */
const maxRows = 100;
/** Issues without some field that are named. */
const maxUnread = 20;
/** Characters of the list, beside those that are named. */
const maxLines = 7_000;

export const jiraSearch = defineRead(
  manifest,
  async ({ order = 'newest', limit = usualLimit, ...filter }, { readers, asker, now, signal }) => {
    const query = { ...issueQuery(filter), asker };
    const { issues, odd = [], more, ...found } = await readers.jira.search(query, { limit, order }, signal);
    const listed = issues.length + odd.length;
    // A condition on the number must not stop at the length of the list.
    const all = more ? await readers.jira.count(query, signal) : { total: listed, approximate: false };
    // An estimate lags behind; what was counted is known better than that there is another page.
    const total = Math.max(all.total, more && all.approximate ? listed + 1 : listed);
    return {
      ...{ total, approximate: all.approximate, more: total > listed },
      keys: issues.map(({ key }) => key),
      ...(odd.length === 0 ? {} : { unread: unreadKeys(odd) }),
      ...firstOf(issues, now()),
      rows: issues.slice(0, maxRows).map((issue) => rowOf(issue, now())),
      lines: [...unreadLines(odd), fittedLines(issues.map(issueLine), total - odd.length, maxLines)].join(
        '\n',
      ),
      ...shownJql(found),
    };
  },
);

/** First, because the end of a long list is cut. */
function unreadLines(odd: readonly string[]): string[] {
  return odd.length === 0 ? [] : [`Not listed, because Jira left out a field: ${unreadKeys(odd)}`];
}

function unreadKeys(odd: readonly string[]): string {
  const rest = odd.length > maxUnread ? ` and ${odd.length - maxUnread} more` : '';
  return `${odd.slice(0, maxUnread).join(', ')}${rest}`;
}

function firstOf(
  [first]: readonly IssueRow[],
  now: Date,
): Pick<ResultOf<typeof manifest>, 'first' | 'first_age_minutes'> {
  if (first === undefined) return {};
  return { first: first.key, first_age_minutes: minutesSince(first.created, now) };
}

function rowOf(issue: IssueRow, now: Date): ResultOf<typeof manifest>['rows'][number] {
  return {
    key: issue.key,
    link: issue.url,
    summary: cut(oneLine(issue.summary), 200),
    status: cut(oneLine(issue.status), 60),
    priority: cut(oneLine(issue.priority), 40),
    assignee: cut(oneLine(issue.assignee), 80),
    age_minutes: minutesSince(issue.created, now),
  };
}
