import { createCloudClient, createServiceDeskClient } from 'jira.js';
import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../sandbox/faults.ts';
import { type JiraSandbox, startJira } from '../../sandbox/jira/server.ts';
import { Journal } from '../../sandbox/journal.ts';
import { world } from '../../sandbox/world.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
const running: JiraSandbox[] = [];

async function start(apiToken = world.jira.apiToken) {
  const faults = new Faults();
  const journal = new Journal(now);
  const jira = await startJira({ world, faults, journal, now });
  running.push(jira);
  const auth = { type: 'basic', email: world.jira.email, apiToken } as const;
  const config = { host: jira.url, auth, onSchemaMismatch: 'throw' } as const;
  return { jira, faults, journal, client: createCloudClient(config), desk: createServiceDeskClient(config) };
}

function doc(...texts: string[]) {
  const content = texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }));
  return { type: 'doc', version: 1, content };
}

async function post(url: string, path: string, body: unknown) {
  const basic = Buffer.from(`${world.jira.email}:${world.jira.apiToken}`).toString('base64');
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((jira) => jira.close()));
});

test('jira.js counts and pages through a search, and reads the site', async () => {
  const { client, journal } = await start();
  const jql = 'project = OPS AND priority = P1 AND statusCategory != Done ORDER BY key';
  expect(await client.issueSearch.countIssues({ jql })).toEqual({ count: 24 });

  const keys: string[] = [];
  let nextPageToken: string | null | undefined;
  let pages = 0;
  do {
    const page = await client.issueSearch.searchAndReconsileIssuesUsingJqlPost({
      jql,
      maxResults: 10,
      fields: ['summary', 'priority', 'status'],
      ...(typeof nextPageToken === 'string' ? { nextPageToken } : {}),
    });
    pages += 1;
    for (const issue of page.issues ?? []) {
      expect(Object.keys(issue.fields ?? {}).sort()).toEqual(['priority', 'status', 'summary']);
      keys.push(issue.key ?? '');
    }
    nextPageToken = page.nextPageToken;
    expect(page.isLast).toBe(nextPageToken === undefined);
  } while (nextPageToken !== undefined);
  expect(pages).toBe(3);
  expect(new Set(keys).size).toBe(24);

  const ids = await client.issueSearch.searchAndReconsileIssuesUsingJql({ jql: 'project = PAY' });
  expect(ids.issues?.every((issue) => issue.id !== undefined && issue.key === undefined)).toBe(true);

  expect((await client.myself.getCurrentUser()).emailAddress).toBe(world.jira.email);
  const [count] = journal.list({ vendor: 'jira', path: '/rest/api/3/search/approximate-count' });
  expect(count).toMatchObject({ method: 'POST', body: { jql }, status: 200, authOk: true });
});

test('bodies are closed: a member that Jira does not know, or of another type, is refused', async () => {
  const { jira } = await start();
  const search = '/rest/api/3/search/jql';
  const jql = 'project = OPS';
  expect((await post(jira.url, search, { jql, fields: ['key'], nextPageToken: null })).status).toBe(200);
  const bad = [
    { jql, startAt: 0 },
    { jql, nextPageToken: 5 },
    { jql, fields: 'key' },
    { jql, maxResults: '5' },
  ];
  for (const body of bad) expect(await post(jira.url, search, body)).toMatchObject({ status: 400 });
  const count = '/rest/api/3/search/approximate-count';
  expect((await post(jira.url, count, { jql, maxResults: 0 })).status).toBe(400);
});

test('jira.js makes an issue, comments on it and moves it through the workflow', async () => {
  const { client, desk, jira } = await start();
  const made = await client.issues.createIssue({
    fields: {
      project: { key: 'OPS' },
      issuetype: { name: 'Incident' },
      summary: 'Pager test',
      description: doc('What we know'),
      priority: { name: 'P1' },
      labels: ['countersign'],
    },
  });
  const key = made.key ?? '';
  const issue = await client.issues.getIssue({ issueIdOrKey: key });
  expect(issue.fields).toMatchObject({
    summary: 'Pager test',
    priority: { name: 'P1' },
    status: { name: 'To Do' },
  });

  await client.issueComments.addComment({ issueIdOrKey: key, body: doc('First', 'Second') });
  const comments = await client.issueComments.getComments({ issueIdOrKey: key });
  expect(comments.comments?.map((one) => one.body)).toEqual([doc('First', 'Second')]);

  const offered = await client.issues.getTransitions({ issueIdOrKey: key });
  expect(offered.transitions?.map((one) => one.to?.name)).toEqual(['In Progress', 'Blocked', 'Resolved']);
  await client.issues.doTransition({ issueIdOrKey: key, transition: { id: '31' } });
  expect(jira.store.find(key)).toMatchObject({ status: 'Resolved', resolution: 'Done' });
  await expect(
    client.issues.doTransition({ issueIdOrKey: key, transition: { id: '31' } }),
  ).rejects.toMatchObject({
    status: 400,
  });

  const sla = await desk.request.getSlaInformation({ issueIdOrKey: 'OPS-1' });
  expect(sla.values?.[0]).toMatchObject({ name: 'Time to resolution', ongoingCycle: { breached: true } });
  await expect(desk.request.getSlaInformation({ issueIdOrKey: 'PAY-1' })).rejects.toMatchObject({
    status: 404,
  });
});

test('Jira refuses wrong credentials, unknown issues, broken documents and wrong fields in its own words', async () => {
  const wrong = await start('not-the-token');
  await expect(wrong.client.myself.getCurrentUser()).rejects.toMatchObject({ status: 401 });
  expect(wrong.journal.list()[0]).toMatchObject({ status: 401, authOk: false });

  const { jira, client } = await start();
  await expect(client.issues.getIssue({ issueIdOrKey: 'OPS-9999' })).rejects.toMatchObject({ status: 404 });
  const broken = [
    doc(''),
    { type: 'doc', version: 2, content: [] },
    { type: 'doc', version: 1, content: [{ type: 'text', text: 'not in a paragraph' }] },
    { type: 'doc', version: 1, content: [{ type: 'heading', attrs: { level: 9 }, content: [] }] },
    {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', bold: true }] }],
    },
    { type: 'doc', version: 1, content: [{ type: 'bulletList', content: [] }] },
    {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link' }] }] }],
    },
  ];
  for (const body of broken) {
    expect(await post(jira.url, '/rest/api/3/issue/OPS-1/comment', { body })).toEqual({
      status: 400,
      body: { errorMessages: ['INVALID_INPUT'], errors: {} },
    });
  }
  expect((await post(jira.url, '/rest/api/3/issue/OPS-1/comment', { body: 'plain' })).body.errors).toEqual({
    comment: 'Comment body is not valid!',
  });
  const tooLong = await post(jira.url, '/rest/api/3/issue/OPS-1/comment', { body: doc('x'.repeat(32_768)) });
  expect(tooLong.body.errors.comment).toContain('32,767');
  expect(jira.store.find('OPS-1').comments).toEqual([]);

  const before = jira.store.issues().length;
  const fields = {
    project: { key: 'NOPE' },
    issuetype: { name: 'Epic' },
    priority: { name: 'P9' },
    colour: 'red',
  };
  const refused = await post(jira.url, '/rest/api/3/issue', { fields });
  expect(refused.status).toBe(400);
  expect(Object.keys(refused.body.errors).sort()).toEqual([
    'colour',
    'issuetype',
    'priority',
    'project',
    'summary',
  ]);
  const string = {
    project: { key: 'OPS' },
    issuetype: { name: 'Bug' },
    summary: 'a\nb',
    description: 'plain',
  };
  expect((await post(jira.url, '/rest/api/3/issue', { fields: string })).body.errors).toEqual({
    summary: 'The summary is invalid because it contains newline characters.',
    description: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
  });
  expect((await post(jira.url, '/rest/api/3/issue', '{')).status).toBe(400);
  expect(jira.store.issues()).toHaveLength(before);

  expect((await post(jira.url, '/rest/api/3/search', { jql: 'project = OPS' })).status).toBe(410);
  const unbounded = await post(jira.url, '/rest/api/3/search/approximate-count', { jql: 'order by created' });
  expect(unbounded).toMatchObject({
    status: 400,
    body: { errorMessages: [expect.stringContaining('Unbounded')] },
  });
  const stolen = {
    jql: 'project = OPS',
    nextPageToken: Buffer.from('[5,"project = PAY"]').toString('base64url'),
  };
  expect((await post(jira.url, '/rest/api/3/search/jql', stolen)).status).toBe(400);
});

test('a lost answer leaves the issue made, a reset does not, and jira.js names a rate limit', async () => {
  const { client, jira, faults, journal } = await start();
  const before = jira.store.issues().length;
  const fields = { project: { key: 'PAY' }, issuetype: { name: 'Bug' }, summary: 'Once' };

  faults.add({
    vendor: 'jira',
    kind: 'reset',
    times: 1,
    match: { method: 'POST', path: '/rest/api/3/issue' },
  });
  await expect(client.issues.createIssue({ fields })).rejects.toThrow();
  expect(jira.store.issues()).toHaveLength(before);

  faults.add({ vendor: 'jira', kind: 'lost-answer', times: 1 });
  await expect(client.issues.createIssue({ fields })).rejects.toThrow();
  expect(jira.store.issues()).toHaveLength(before + 1);

  faults.add({ vendor: 'jira', kind: 'status', status: 429, retryAfterSeconds: 7, times: 1 });
  await expect(client.myself.getCurrentUser()).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 });
  expect(journal.list().map(({ fault, status }) => [fault, status])).toEqual([
    ['reset', null],
    ['lost-answer', null],
    ['status', 429],
  ]);
});
