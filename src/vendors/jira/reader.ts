import { countIssues, searchAndReconsileIssuesUsingJqlPost } from 'jira.js/cloud';
import { z } from 'zod';
import { configuredUrl } from '../http/egress.ts';
import { badAnswer } from '../http/no-answer.ts';
import { buildJql, type JqlScope } from './jql.ts';
import type { IssueRow, JiraReader, ShownQuery } from './port.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

export interface JiraOptions extends JiraAccess {
  /** Names of P1 to P5 in this Jira, such as `{ P1: 'Highest' }`. */
  readonly priorities: Readonly<Record<string, string>>;
  /** Project keys that a query without a project is bound to. */
  readonly projects: readonly string[];
}

const named = z.object({ name: z.string() });
const issueSchema = z.object({
  key: z.string().regex(/^[A-Z][A-Z0-9_]+-\d+$/),
  fields: z.object({
    summary: z.string().nullish(),
    status: named,
    priority: named.nullish(),
    assignee: z.object({ displayName: z.string() }).nullish(),
    created: z.string(),
    updated: z.string(),
  }),
});
const fields = ['summary', 'status', 'priority', 'assignee', 'created', 'updated'];

/** Jira may give fewer issues a page than asked for, also none; more round trips than this are not made. */
const maxPages = 20;

/** Reads issues through jira.js. Every failure is a VendorError or a JqlError; nothing found is really nothing. */
export function createJiraReader(options: JiraOptions): Pick<JiraReader, 'count' | 'search'> {
  const host = configuredUrl(options.host);
  const scope = (): JqlScope => ({
    priorities: options.priorities,
    projects: options.projects,
    now: options.now(),
  });
  return {
    async count(query, signal) {
      const jql = buildJql(query, scope());
      const { count } = await countIssues(jiraTransport(options, signal), { jql });
      if (count === undefined || !Number.isInteger(count) || count < 0) {
        throw badAnswer('Jira', 'it holds no count', { write: false });
      }
      return { total: count, approximate: true, ...shown(jql, host) };
    },
    async search(query, { limit, order }, signal) {
      const jql = buildJql(query, scope(), order);
      const { issues, more } = await collect(jql, limit, options, signal);
      return { issues: issues.map((issue) => readIssue(issue, host)), more, ...shown(jql, host) };
    },
  };
}

function shown(jql: string, host: URL): ShownQuery {
  const url = new URL('/issues/', host);
  url.searchParams.set('jql', jql);
  return { jql, url: url.href };
}

async function collect(
  jql: string,
  limit: number,
  options: JiraOptions,
  signal: AbortSignal,
): Promise<{ issues: unknown[]; more: boolean }> {
  const transport = jiraTransport(options, signal);
  const issues: unknown[] = [];
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const found = await searchAndReconsileIssuesUsingJqlPost(transport, {
      jql,
      fields,
      maxResults: limit - issues.length,
      ...(token === undefined ? {} : { nextPageToken: token }),
    });
    if (found.issues === undefined) throw badAnswer('Jira', 'it holds no list of issues', { write: false });
    issues.push(...found.issues);
    token = found.isLast === true ? undefined : (found.nextPageToken ?? undefined);
    if (token === undefined || issues.length >= limit) break;
  }
  return { issues: issues.slice(0, limit), more: token !== undefined || issues.length > limit };
}

function readIssue(issue: unknown, host: URL): IssueRow {
  const parsed = issueSchema.safeParse(issue);
  if (!parsed.success)
    throw badAnswer('Jira', 'an issue lacks a field', { write: false, cause: parsed.error });
  const { key, fields: own } = parsed.data;
  return {
    key,
    summary: own.summary ?? '',
    status: own.status.name,
    priority: own.priority?.name ?? '',
    assignee: own.assignee?.displayName ?? '',
    created: own.created,
    updated: own.updated,
    url: new URL(`/browse/${key}`, host).href,
  };
}
