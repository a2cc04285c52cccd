import { jiraSearch as manifest } from '../../manifests/jira.search.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { ResultOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead } from '../../src/core/tool.ts';
import { issueQuery, shownJql } from './issue-query.ts';
import { issueLine, minutesSince } from './issue-words.ts';
import { fittedLines } from './lines.ts';

type Found = Awaited<ReturnType<Readers['jira']['search']>>;
type IssueRow = Found['issues'][number];
type Unread = NonNullable<Found['odd']>[number];

/** Default number of issues in a list. */
const usualLimit = 20;
/** Maximum issues included field by field; the keys of all of them are listed as well. */
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
      ...firstOf(issues, now()),
      rows: [
        ...issues.map((issue) => rowOf(issue, now())),
        ...odd.filter(({ key }) => key !== '').map(unreadRow),
      ].slice(0, maxRows),
      lines: [...unreadLines(odd), fittedLines(issues.map(issueLine), total - odd.length, maxLines)].join(
        '\n',
      ),
      ...shownJql(found),
    };
  },
);

/** First, because the end of a long list is cut. */
function unreadLines(odd: readonly Unread[]): string[] {
  if (odd.length === 0) return [];
  const keys = odd.slice(0, maxUnread).map(({ key }) => key || 'one without a key');
  const rest = odd.length > maxUnread ? ` and ${odd.length - maxUnread} more` : '';
  return [`Not listed, because Jira left out a field: ${keys.join(', ')}${rest}`];
}

/** People find it in the table by its key. */
function unreadRow({ key, url: link }: Unread): ResultOf<typeof manifest>['rows'][number] {
  const none = { status: '', priority: '', assignee: '', age_minutes: 0 };
  return { key, link, summary: 'Could not be read: Jira left out a field', ...none };
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
