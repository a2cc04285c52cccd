import type { Context, Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { readJson } from '../read-json.ts';
import { badRequest, JiraRefusal } from './errors.ts';
import { searchIssues } from './jql/search.ts';
import type { JiraIssue } from './model.ts';
import { issueJson, type Site } from './render.ts';

interface SearchRequest {
  readonly jql: string;
  readonly maxResults: number;
  readonly nextPageToken?: string | undefined;
  readonly fields: readonly string[];
  readonly properties: readonly string[];
}

/** When the answer has more than ids, Jira returns at most 100 issues per page. */
const maxPage = 100;
const maxIdPage = 5_000;
const invalidPayload = 'Invalid request payload. Refer to the REST API documentation and try again.';
const searchMembers = [
  ...['jql', 'maxResults', 'nextPageToken', 'fields', 'expand', 'properties', 'fieldsByKeys'],
  'reconcileIssues',
];

export function addSearchRoutes(app: Hono<SandboxEnv>, site: Site): void {
  app.post('/rest/api/3/search/approximate-count', async (context) => {
    const body = await readJson(context, unreadable);
    known(body, ['jql']);
    const { jql } = body;
    if (typeof jql !== 'string') throw badRequest(invalidPayload);
    return context.json({ count: find(site, jql).length });
  });
  app.get('/rest/api/3/search/jql', (context) => search(context, site, queryRequest(context)));
  app.post('/rest/api/3/search/jql', async (context) =>
    search(context, site, bodyRequest(await readJson(context, unreadable))),
  );
  app.on(['GET', 'POST'], ['/rest/api/3/search', '/rest/api/2/search'], () => {
    throw new JiraRefusal(410, [
      'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. ' +
        'A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046',
    ]);
  });
}

export function unreadable(): JiraRefusal {
  return badRequest('There was an error parsing JSON. Check that your request body is valid.');
}

function search(context: Context<SandboxEnv>, site: Site, request: SearchRequest): Response {
  const found = find(site, request.jql);
  const start = startOf(request.nextPageToken, request.jql);
  const onlyIds = request.fields.length === 0 || request.fields.every((name) => name === 'id');
  const size = Math.min(request.maxResults, onlyIds ? maxIdPage : maxPage);
  const page = found.slice(start, start + size);
  const end = start + page.length;
  const issues = page.map((issue) =>
    onlyIds ? { id: issue.id } : issueJson(site, issue, request.fields, request.properties),
  );
  const isLast = end >= found.length;
  return context.json({ issues, ...(isLast ? {} : { nextPageToken: tokenFor(end, request.jql) }), isLast });
}

function find({ store }: Site, jql: string): readonly JiraIssue[] {
  return searchIssues(jql, {
    projects: store.world.jira.projects,
    users: store.users,
    currentUser: store.bot,
    now: store.now(),
    issues: store.issues(),
  });
}

function queryRequest(context: Context<SandboxEnv>): SearchRequest {
  const maxResults = context.req.query('maxResults');
  return {
    jql: context.req.query('jql') ?? '',
    maxResults: pageSize(maxResults === undefined ? undefined : Number(maxResults)),
    nextPageToken: context.req.query('nextPageToken'),
    fields: (context.req.queries('fields') ?? []).flatMap((name) => name.split(',')),
    properties: (context.req.queries('properties') ?? []).flatMap((name) => name.split(',')),
  };
}

function bodyRequest(body: Readonly<Record<string, unknown>>): SearchRequest {
  known(body, searchMembers);
  const { jql, maxResults, nextPageToken, fields, properties } = body;
  const isNames = Array.isArray(properties) && properties.every((name) => typeof name === 'string');
  if (properties !== undefined && !(isNames && properties.length <= 5)) throw badRequest(invalidPayload);
  if (fields !== undefined && !(Array.isArray(fields) && fields.every((name) => typeof name === 'string'))) {
    throw badRequest(invalidPayload);
  }
  const token = nextPageToken ?? undefined;
  if (token !== undefined && typeof token !== 'string') throw badRequest(invalidPayload);
  return {
    jql: typeof jql === 'string' ? jql : '',
    maxResults: pageSize(maxResults),
    nextPageToken: token,
    fields: fields ?? [],
    properties: isNames ? properties : [],
  };
}

/** Jira's request schemas are closed. */
function known(body: Readonly<Record<string, unknown>>, members: readonly string[]): void {
  if (Object.keys(body).some((name) => !members.includes(name))) throw badRequest(invalidPayload);
}

function pageSize(value: unknown): number {
  if (value === undefined) return 50;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxIdPage) return value;
  throw badRequest(`The maxResults parameter must be between 1 and ${maxIdPage}.`);
}

/** Opaque to the client, and only valid for the same query. */
function tokenFor(start: number, jql: string): string {
  return Buffer.from(JSON.stringify([start, jql])).toString('base64url');
}

function startOf(token: string | undefined, jql: string): number {
  if (token === undefined) return 0;
  const text = Buffer.from(token, 'base64url').toString();
  const start = /^\[(\d+),/.exec(text)?.[1];
  if (start === undefined || tokenFor(Number(start), jql) !== token) {
    throw badRequest('The provided next page token is invalid or expired.');
  }
  return Number(start);
}
