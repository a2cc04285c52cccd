import { badAnswer } from '../http/no-answer.ts';
import { countIssues, searchAndReconsileIssuesUsingJqlPost } from './jira-types.ts';
import { listOf } from './names.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

/** Maximum round trips: Jira may return fewer issues per page than requested, even none. */
const maxPages = 20;
/** Issues per page with their fields; for ids alone Jira returns up to 5,000. */
const pageSize = 100;
const idPageSize = 5_000;
/** Above this number of issues a count is Jira's estimate. */
const maxCounted = 10_000;

const repeats = 'it repeats its pages, so nobody knows how many issues there are';

interface Collected {
  readonly issues: readonly unknown[];
  readonly more: boolean;
}

/** The first `limit` issues of a query, page by page, each once. Throws a VendorError where a page comes again. */
export function collect(
  access: JiraAccess,
  {
    jql,
    fields,
    limit,
  }: { readonly jql: string; readonly fields: readonly string[]; readonly limit: number },
  signal: AbortSignal,
): Promise<Collected> {
  return pages(access, { jql, fields, limit, size: pageSize }, signal);
}

/** Jira's own count is an estimate. So the ids are counted, and the estimate is only used when there are too many. */
export async function countExactly(
  access: JiraAccess,
  jql: string,
  signal: AbortSignal,
): Promise<{ total: number; approximate: boolean }> {
  const query = { jql, fields: ['id'], limit: maxCounted, size: idPageSize };
  const { issues, more } = await pages(access, query, signal);
  if (!more) return { total: issues.length, approximate: false };
  const { count } = await countIssues(jiraTransport(access, signal), { jql });
  if (count === undefined || !Number.isInteger(count) || count < 0) {
    throw badAnswer('Jira', 'it holds no count', { write: false });
  }
  // The estimate lags behind.
  return { total: Math.max(count, issues.length + 1), approximate: true };
}

async function pages(
  access: JiraAccess,
  query: {
    readonly jql: string;
    readonly fields: readonly string[];
    readonly limit: number;
    readonly size: number;
  },
  signal: AbortSignal,
): Promise<Collected> {
  const { jql, fields, limit, size } = query;
  const transport = jiraTransport(access, signal, { isList: true });
  // A page may begin with the end of the one before.
  const issues = new Map<string, unknown>();
  const tokens = new Set<string>();
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const found = await searchAndReconsileIssuesUsingJqlPost(transport, {
      jql,
      fields: [...fields],
      maxResults: Math.min(size, limit - issues.size),
      ...(token === undefined ? {} : { nextPageToken: token }),
    });
    if (found.issues === undefined) throw badAnswer('Jira', 'it holds no list of issues', { write: false });
    for (const issue of listOf(found.issues, 'an issue'))
      issues.set(nameOf(issue) ?? `#${issues.size}`, issue);
    const next: unknown = found.isLast === true ? undefined : found.nextPageToken;
    token = typeof next === 'string' ? next : undefined;
    if (token === undefined || issues.size >= limit) break;
    if (tokens.has(token)) throw badAnswer('Jira', repeats, { write: false });
    tokens.add(token);
  }
  return { issues: [...issues.values()].slice(0, limit), more: token !== undefined || issues.size > limit };
}

/** The id of an issue, or its key; null where it has none that can be read. */
function nameOf(issue: unknown): string | null {
  if (typeof issue !== 'object' || issue === null) return null;
  const { id, key } = issue as { readonly id?: unknown; readonly key?: unknown };
  return [id, key].find((name) => typeof name === 'string') ?? null;
}
