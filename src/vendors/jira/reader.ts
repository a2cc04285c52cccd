import { accountOf } from './accounts.ts';
import { issueByMark } from './create.ts';
import { planIssue } from './create-screen.ts';
import { browseUrl, type IssueSite, issueFieldNames, readIssue, readRows, rowFieldNames } from './issue.ts';
import { checkedKey, existing } from './issue-key.ts';
import { getComments, getIssue } from './jira-types.ts';
import { buildJql, type JqlQuery, type Order, unassigned } from './jql.ts';
import type { JiraOptions } from './options.ts';
import { collect, countExactly } from './paginate.ts';
import type { Issue, IssueQuery, JiraReader, ShownQuery } from './port.ts';
import { slasOf } from './sla.ts';
import { moveByMark } from './transition.ts';
import { type JiraAccess, jiraTransport, siteOf } from './transport.ts';
import { planMove } from './workflow.ts';
import { findComment } from './writer.ts';

/**
 * Reads issues through jira.js. Every failure is a VendorError, or an error that names the argument; an empty result
 * really means none.
 */
export function createJiraReader(options: JiraOptions): JiraReader {
  const { host, priorities } = options;
  const site: IssueSite = { host, priorities, site: siteOf(options).href };
  async function jqlOf(query: IssueQuery, signal: AbortSignal, order?: Order): Promise<string> {
    const { projects, timezone: zone = 'UTC' } = options;
    return buildJql(
      await withAccounts(query, options, signal),
      { priorities, projects, now: options.now(), zone },
      order,
    );
  }
  return {
    issue: (key, signal) => readOne(key, options, site, signal),
    commentByMark: (of, signal) => findComment(options, of, signal),
    async plannedMove(asked, signal) {
      const { summary, status, to } = await planMove(options, asked, signal);
      return { summary, from: status, to, url: browseUrl(site, asked.key) };
    },
    moveByMark: (of, signal) => moveByMark(options, of, signal),
    async plannedIssue(asked, signal) {
      const { type, assignee } = await planIssue(options, asked, signal);
      return { type, assignee: assignee?.name ?? null };
    },
    issueByMark: (of, signal) => issueByMark(options, of, signal),
    slas: (key, signal) => slasOf(options, key, signal),
    async count(query, signal) {
      const jql = await jqlOf(query, signal);
      return { ...(await countExactly(options, jql, signal)), ...shown(jql, site) };
    },
    async search(query, { limit, order }, signal) {
      const jql = await jqlOf(query, signal, order);
      const { issues, more } = await collect(options, { jql, fields: rowFieldNames, limit }, signal);
      const { rows, odd } = readRows(issues, site);
      return { issues: rows, odd, more, ...shown(jql, site) };
    },
  };
}

async function readOne(
  key: string,
  access: JiraAccess,
  site: IssueSite,
  signal: AbortSignal,
): Promise<Issue> {
  const client = jiraTransport(access, signal);
  const issueIdOrKey = checkedKey(key);
  const both = Promise.all([
    getIssue(client, { issueIdOrKey, fields: issueFieldNames }),
    getComments(client, { issueIdOrKey, orderBy: '-created', maxResults: 1 }),
  ]);
  const [issue, { comments = [], total = comments.length }] = await existing(key, both);
  return readIssue(issue, { total, comments }, site);
}

/** People are queried by account id: names are not unique, and Jira may hide them from a query. */
async function withAccounts(
  { asker, ...query }: IssueQuery,
  options: JiraOptions,
  signal: AbortSignal,
): Promise<JqlQuery> {
  async function idOf(name: string | undefined, argument: string): Promise<string | undefined> {
    if (name === undefined) return undefined;
    if (name.trim().toLowerCase() === unassigned) return unassigned;
    return (await accountOf(options, { name, asker, argument }, signal)).accountId;
  }
  const [assignee, assigneeNot] = await Promise.all([
    idOf(query.assignee, 'assignee'),
    idOf(query.assigneeNot, 'assignee_not'),
  ]);
  return { ...query, assignee, assigneeNot };
}

function shown(jql: string, of: IssueSite): ShownQuery {
  const url = new URL('/issues/', siteOf(of));
  url.searchParams.set('jql', jql);
  return { jql, url: url.href };
}
