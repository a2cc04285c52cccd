import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../../sandbox/faults.ts';
import { startJira } from '../../../sandbox/jira/server.ts';
import { Journal } from '../../../sandbox/journal.ts';
import { world } from '../../../sandbox/world.ts';
import type { JiraOptions } from '../../../src/vendors/jira/options.ts';
import { createJiraReader } from '../../../src/vendors/jira/reader.ts';
import { startOddServer } from '../../support/odd-server.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
const closers: (() => Promise<void>)[] = [];
const signal = () => new AbortController().signal;

function readerFor(host: string, changes: Partial<JiraOptions> = {}) {
  const { email, apiToken } = world.jira;
  return createJiraReader({
    host,
    email,
    apiToken,
    fetch,
    now,
    priorities: {},
    projects: ['OPS'],
    people: {
      idOf: (handle) => (handle === 'ana' ? 'U0ANA' : null),
      emailOf: async (userId) => (userId === 'U0ANA' ? 'ana@acme.example' : null),
    },
    ...changes,
  });
}

async function withJira(changes: Partial<JiraOptions> = {}) {
  const faults = new Faults();
  const journal = new Journal(now);
  const jira = await startJira({ world, faults, journal, now });
  closers.push(() => jira.close());
  return { faults, journal, jira, reader: readerFor(jira.url, changes) };
}

async function withOdd(...parameters: Parameters<typeof startOddServer>) {
  const server = await startOddServer(...parameters);
  closers.push(() => server.close());
  return { server, reader: readerFor(server.url) };
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

test('it counts and lists like Jira, page by page, and returns its query', async () => {
  const { reader, journal } = await withJira();
  const open = { project: 'OPS', priority: 'P1', status: 'open' };
  const { url, ...counted } = await reader.count(open, signal());
  expect(counted).toEqual({
    total: 24,
    approximate: false,
    jql: 'project = "OPS" AND priority = "P1" AND statusCategory != Done',
  });
  expect(new URL(url).searchParams.get('jql')).toBe(counted.jql);
  expect(await reader.count({ ...open, project: 'PAY' }, signal())).toMatchObject({ total: 3 });
  expect(await reader.count({ ...open, text: 'no such words at all' }, signal())).toMatchObject({ total: 0 });

  const { issues, more, jql } = await reader.search(open, { limit: 5, order: 'oldest' }, signal());
  expect(issues).toHaveLength(5);
  expect(more).toBe(true);
  expect(jql).toContain('ORDER BY created ASC');
  const created = issues.map((issue) => issue.created.getTime());
  expect(created.toSorted((a, b) => a - b)).toEqual(created);
  expect(issues[0]).toMatchObject({ key: expect.stringMatching(/^OPS-\d+$/), priority: 'P1' });
  expect(issues[0]?.url).toMatch(/\/browse\/OPS-\d+$/);
  const all = await reader.search(open, { limit: 50, order: 'newest' }, signal());
  expect(new Set(all.issues.map((issue) => issue.key)).size).toBe(24);
  expect(all.more).toBe(false);
  expect(
    journal.list({ vendor: 'jira' }).every((entry) => entry.path.startsWith('/rest/api/3/search/')),
  ).toBe(true);
});

test('Jira accepts every start and filter that the builder can write', async () => {
  const { reader } = await withJira();
  const words = [
    'today',
    'last night',
    'this afternoon',
    'last week',
    'month',
    'last month',
    'year',
    'last year',
  ];
  for (const since of [...words, 'weekend', 'tuesday', 'january', 'noon', '2026-03-01', '2026-03-01 09:30']) {
    const { total } = await reader.count({ project: 'OPS', since }, signal());
    expect(total).toBeGreaterThanOrEqual(0);
  }
  const everything = {
    status: 'In Progress',
    type: 'bug',
    component: 'Gateway',
    assignee: 'unassigned',
    label: 'x',
    labelNot: 'a"b\\',
  };
  const query = { ...everything, text: 'a "quoted" (word)', window: 'P2D' };
  expect((await reader.search(query, { limit: 5, order: 'priority' }, signal())).issues).toEqual([]);
  const closed = await reader.count({ project: 'OPS', status: 'closed', window: 'P7D' }, signal());
  const made = await reader.count({ project: 'OPS', status: 'all', priorityNot: 'P1' }, signal());
  expect(closed.total).toBeGreaterThanOrEqual(0);
  expect(made.total).toBeGreaterThan(0);
});

test('too many issues to count one by one are an estimate, and said to be one', async () => {
  const { reader } = await withOdd((request, response, count) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url?.endsWith('/approximate-count')) return void response.end('{"count":12345}');
    const issues = Array.from({ length: 5_000 }, (_, id) => ({ id: `${count}-${id}` }));
    response.end(JSON.stringify({ issues, nextPageToken: `more ${count}`, isLast: false }));
  });
  expect(await reader.count({ project: 'OPS' }, signal())).toMatchObject({
    total: 12_345,
    approximate: true,
  });
});

test('a thousand issues are read page by page', async () => {
  const { reader, jira, journal } = await withJira();
  const reporter = jira.store.bot;
  for (let at = 0; at < 1_000; at += 1)
    jira.store.create({ project: 'WEB', summary: `Ticket ${at}`, reporter });
  const found = await reader.search({ project: 'WEB' }, { limit: 1_000, order: 'newest' }, signal());
  expect(new Set(found.issues.map(({ key }) => key)).size).toBe(1_000);
  expect(found.more).toBe(true);
  expect(journal.list({ vendor: 'jira' })).toHaveLength(10);
  expect((await reader.count({ project: 'WEB' }, signal())).approximate).toBe(false);
  expect(journal.list({ vendor: 'jira' })).toHaveLength(11);
});

test('people are resolved to their account from “me”, a handle or a name, and never guessed', async () => {
  const { reader, journal } = await withJira();
  const all = { project: 'OPS', status: 'all' };
  const mine = await reader.search(
    { ...all, assignee: 'me', asker: 'U0ANA' },
    { limit: 50, order: 'newest' },
    signal(),
  );
  expect(mine.jql).toContain('assignee = "712020:ana"');
  expect(new Set(mine.issues.map(({ assignee }) => assignee))).toEqual(new Set(['Ana Ruiz']));
  const total = mine.issues.length;
  for (const assignee of ['@ana', 'Ana Ruiz', 'ana ruiz']) {
    expect(await reader.count({ ...all, assignee }, signal())).toMatchObject({ total });
  }
  const others = await reader.count({ ...all, assigneeNot: '@ana' }, signal());
  const everything = await reader.count(all, signal());
  expect(others.total + total).toBe(everything.total);
  const before = journal.list({ vendor: 'jira', path: '/rest/api/3/search/jql' }).length;
  for (const [assignee, asker, code] of [
    ['me', 'U0STRANGER', 'no_account'],
    ['zoe', undefined, 'no_account'],
    ['a', undefined, 'no_account'],
  ] as const) {
    const asked = reader.count({ ...all, assignee, asker }, signal());
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(/argument assignee/) });
  }
  expect(journal.list({ vendor: 'jira', path: '/rest/api/3/search/jql' })).toHaveLength(before);
});

test('an ambiguous name is refused with the people who have it', async () => {
  const { reader } = await withOdd((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const users = ['Eva Lind', 'Eva Silva'].map((displayName, id) => ({ accountId: `7:${id}`, displayName }));
    response.end(JSON.stringify(users));
  });
  const asked = reader.count({ project: 'OPS', assignee: 'eva' }, signal());
  await expect(asked).rejects.toMatchObject({
    code: 'several_accounts',
    message: expect.stringContaining('Eva Lind, Eva Silva'),
  });
});

test('an issue is read with its latest comment as plain text, and done does not depend on the status name', async () => {
  const { reader, jira } = await withJira({ priorities: { P1: 'P1' } });
  const { store } = jira;
  const ana = store.users.find(({ displayName }) => displayName === 'Ana Ruiz') ?? store.bot;
  const description = {
    ...{ type: 'doc', version: 1 },
    content: [
      { type: 'paragraph', content: [{ type: 'mention', attrs: { id: '1', text: '@Ben' } }] },
      {
        type: 'bulletList',
        content: [
          { type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'one' }] }] },
        ],
      },
    ],
  };
  const { key } = store.create({
    ...{ project: 'PAY', summary: 'Two\nlines', reporter: ana, assignee: ana, description },
    ...{ priority: 'P1', status: 'Resolved', labels: ['x'], components: ['Gateway'] },
  });
  const body = (text: string) => ({
    ...{ type: 'doc', version: 1 },
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  });
  store.comment(store.find(key), ana, body('first'));
  store.comment(store.find(key), ana, body('*second* <!channel>'));
  expect(await reader.issue(key, signal())).toMatchObject({
    ...{ key, status: 'Resolved', done: true, priority: 'P1', assignee: 'Ana Ruiz', type: 'Task' },
    ...{ labels: ['x'], components: ['Gateway'], description: '@Ben\none' },
    comments: { total: 2, latest: { author: 'Ana Ruiz', text: '*second* <!channel>' } },
    url: `${jira.url}/browse/${key}`,
  });
  await expect(reader.issue('OPS-99999', signal())).rejects.toMatchObject({ code: 'not_found' });
  await expect(reader.issue('OPS-1/../../myself', signal())).rejects.toMatchObject({ code: 'issue_key' });
});

test('task lists, decisions, cards, dates and panels are read one line each', async () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const date = { type: 'date', attrs: { timestamp: '1795910400000' } };
  const task = (state: string, ...content: unknown[]) => ({ type: 'taskItem', attrs: { state }, content });
  const description = {
    ...{ type: 'doc', version: 1 },
    content: [
      {
        type: 'taskList',
        content: [task('DONE', text('restart')), task('TODO', text('look at '), text('logs'))],
      },
      {
        type: 'decisionList',
        content: [
          { type: 'decisionItem', attrs: { state: 'DECIDED' }, content: [text('roll back on '), date] },
          { type: 'decisionItem', attrs: { state: 'UNDECIDED' }, content: [text('tell the shop')] },
        ],
      },
      { type: 'blockCard', attrs: { url: 'https://wiki.acme.example/p/1' } },
      { type: 'embedCard', attrs: { url: 'https://wiki.acme.example/p/2', layout: 'center' } },
      { type: 'blockCard', attrs: { data: { url: 'https://wiki.acme.example/p/3', name: 'Three' } } },
      {
        type: 'paragraph',
        content: [text('see '), { type: 'inlineCard', attrs: { url: 'https://wiki.acme.example/p/4' } }],
      },
      {
        ...{ type: 'expand', attrs: { title: 'Details' } },
        content: [{ type: 'nestedExpand', attrs: { title: 'More' } }],
      },
      { type: 'paragraph', content: [date, text(' is due')] },
      { type: 'paragraph', content: [{ type: 'date', attrs: { timestamp: 'soon' } }, text('end')] },
    ],
  };
  const at = '2026-03-10T10:00:00.000+0000';
  const { reader } = await withOdd((request, response) => {
    const fields = { ...rowFields, issuetype: { name: 'Bug' }, created: at, updated: at, description };
    const isIssue = request.url?.includes('/comment') === false;
    const answer = isIssue ? { key: 'OPS-1', fields } : { comments: [], total: 0 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const { description: read } = await reader.issue('OPS-1', signal());
  expect(read.split('\n')).toEqual([
    ...['[x] restart', '[ ] look at logs', 'Decision: roll back on 2026-11-29', 'Undecided: tell the shop'],
    ...['https://wiki.acme.example/p/1', 'https://wiki.acme.example/p/2', 'https://wiki.acme.example/p/3'],
    ...['see https://wiki.acme.example/p/4', 'Details', 'More', '2026-11-29 is due', 'end'],
  ]);
});

test('a token with scopes is named where it is refused, and links lead to the site', async () => {
  const answers = [401, 401, 200];
  const { server } = await withOdd((_request, response, count) => {
    const status = answers[count - 1] ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issues: [{ id: '1', key: 'OPS-1', fields: rowFields }], isLast: true }));
  });
  await expect(readerFor(server.url).count({ project: 'OPS' }, signal())).rejects.toMatchObject({
    code: 'token_invalid',
    message: expect.stringContaining('a token with scopes needs JIRA_SITE'),
  });
  const site = 'https://acme.atlassian.net';
  const gateway = readerFor(`${server.url}/ex/jira/7f3c`, { site });
  await expect(gateway.count({ project: 'OPS' }, signal())).rejects.toMatchObject({
    code: 'token_invalid',
    message: expect.stringContaining('the scopes of the token'),
  });
  const found = await gateway.search({ project: 'OPS' }, { limit: 5, order: 'newest' }, signal());
  expect(server.requests.at(-1)).toBe('POST /ex/jira/7f3c/rest/api/3/search/jql');
  expect(found.url).toMatch(/^https:\/\/acme\.atlassian\.net\/issues\/\?jql=/);
  expect(found.issues[0]?.url).toBe('https://acme.atlassian.net/browse/OPS-1');
});

test('fields of unknown shapes on a screen are passed over', async () => {
  const sprint = {
    ...{ fieldId: 'customfield_10020', name: 'Sprint', required: false },
    schema: { type: 'array', items: 'json', custom: 'com.pyxis.greenhopper.jira:gh-sprint' },
    allowedValues: [{ id: 7, name: 'Sprint 7', state: 'active' }, 12, null, { id: {}, name: [] }],
  };
  const odd = { fieldId: 'customfield_2', name: 5, required: false, schema: 'x', allowedValues: 'none' };
  const summary = { fieldId: 'summary', name: 'Summary', required: true, schema: { type: 'string' } };
  const bodies: Record<string, unknown> = {
    '/rest/api/3/issue/createmeta/OPS/issuetypes': {
      issueTypes: [{ id: '1', name: 'Task', subtask: false }],
    },
    '/rest/api/3/issue/createmeta/OPS/issuetypes/1': { total: 3, fields: [sprint, odd, summary] },
    '/rest/api/3/issue/OPS-3': { key: 'OPS-3', fields: { status: { name: 'To Do' } } },
    '/rest/api/3/issue/OPS-3/transitions': {
      transitions: [
        { id: '1', name: 'Resolve', to: { name: 'Done' }, fields: { customfield_1: sprint, odd, bad: 7 } },
      ],
    },
  };
  const { reader } = await withOdd((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://odd');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(bodies[pathname] ?? {}));
  });
  const asked = { project: 'OPS', summary: 'x', text: 'x' };
  expect(await reader.plannedIssue(asked, signal())).toMatchObject({ type: 'Task' });
  const moved = await reader.plannedMove({ key: 'OPS-3', status: 'Done' }, signal());
  expect(moved).toMatchObject({ from: 'To Do', to: 'Done' });
});

test('an error from Jira is reported in plain words and never as an empty answer', async () => {
  const { jira, faults, reader } = await withJira();
  await expect(
    readerFor(jira.url, { apiToken: 'wrong' }).count({ project: 'OPS' }, signal()),
  ).rejects.toMatchObject({
    code: 'token_invalid',
    message: expect.stringContaining('Jira says the token is not valid: check JIRA_EMAIL and JIRA_API_TOKEN'),
    retryable: false,
  });
  await expect(reader.count({ project: 'NOPE' }, signal())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('NOPE'),
    retryable: false,
  });
  for (const [status, code, retryable] of [
    [403, 'forbidden', false],
    [404, 'not_found', false],
    [429, 'rate_limited', true],
    [500, 'vendor_down', true],
    [503, 'vendor_down', true],
  ] as const) {
    faults.add({ vendor: 'jira', kind: 'status', status, times: 1, retryAfterSeconds: 7 });
    const asked = reader.search({ project: 'OPS' }, { limit: 5, order: 'newest' }, signal());
    await expect(asked).rejects.toMatchObject({ code, retryable, mayHaveHappened: false });
  }
  faults.add({ vendor: 'jira', kind: 'status', status: 429, times: 1, retryAfterSeconds: 7 });
  await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject({ retryAfterMs: 7_000 });
  for (const kind of ['reset', 'truncate', 'lost-answer'] as const) {
    faults.add({ vendor: 'jira', kind, times: 1 });
    await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject({
      code: 'connection_lost',
      retryable: true,
    });
  }
});

test('a missing answer ends with the signal, and an address where nothing listens is named', async () => {
  const { reader, server } = await withOdd(() => {});
  const controller = new AbortController();
  const asked = reader.count({ project: 'OPS' }, controller.signal);
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'timeout', retryable: true });
  await server.close();
  await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/^Jira cannot be reached: nothing answers at 127\.0\.0\.1:\d+\.$/),
  });
});

test('web pages, anonymous answers, missing fields and other shapes are failures, not empty results', async () => {
  const json = { 'content-type': 'application/json' };
  const answers: [Record<string, string>, number, string, string][] = [
    [{ 'content-type': 'text/html' }, 200, '<html>Log in</html>', 'bad_answer'],
    [{ 'content-type': 'text/html' }, 503, '<html>Sorry</html>', 'vendor_down'],
    [
      { ...json, 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
      200,
      '{"issues":[],"isLast":true}',
      'token_invalid',
    ],
    [json, 200, '{}', 'bad_answer'],
    [json, 200, '{"issues":"many"}', 'bad_answer'],
    [json, 200, '{"issues":', 'bad_answer'],
    [json, 204, '', 'refused'],
  ];
  const { reader } = await withOdd((_request, response, count) => {
    const [headers, status, body] = answers[count - 1] ?? [{}, 500, ''];
    response.writeHead(status, headers).end(body);
  });
  for (const [, , , code] of answers) {
    await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject({ code });
  }
  const issues = await withOdd((_request, response, count) => {
    const bodies = ['{"isLast":true}', '{"issues":[{"key":"OPS-1","fields":{"summary":"x"}}]}'];
    response.writeHead(200, json).end(bodies[count - 1]);
  });
  for (const message of [/no list of issues/, /lacks a field/]) {
    const asked = issues.reader.search({ project: 'OPS' }, { limit: 5, order: 'newest' }, signal());
    await expect(asked).rejects.toThrowError(message);
  }
});

test('a malformed issue, SLA, transition or create screen is a failure, not an answer', async () => {
  const at = '2026-03-10T10:00:00.000+0000';
  const fields = {
    status: { name: 'To Do' },
    issuetype: { name: 'Bug' },
    project: {},
    created: at,
    updated: at,
  };
  const bodies: Record<string, unknown> = {
    '/rest/api/3/issue/OPS-1': { key: 'OPS-1', fields: { ...fields, created: 'yesterday' } },
    '/rest/api/3/issue/OPS-1/comment': { comments: [], total: 0 },
    '/rest/api/3/issue/OPS-2': { key: '<b>OPS-2</b>', fields },
    '/rest/api/3/issue/OPS-2/comment': { comments: [], total: 0 },
    '/rest/api/3/issue/OPS-3': { key: 'OPS-3', fields },
    '/rest/api/3/issue/OPS-3/transitions': { transitions: [{ name: 'Resolve' }] },
    '/rest/servicedeskapi/request/OPS-1/sla': { values: [{ name: 'Time to resolution', ongoingCycle: {} }] },
    '/rest/api/3/issue/createmeta/OPS/issuetypes': { issueTypes: [{ id: '1' }] },
  };
  const { reader } = await withOdd((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://odd');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(bodies[pathname] ?? {}));
  });
  const asked = [
    reader.issue('OPS-1', signal()),
    reader.issue('OPS-2', signal()),
    reader.slas('OPS-1', signal()),
    reader.plannedMove({ key: 'OPS-3', status: 'Done' }, signal()),
    reader.plannedIssue({ project: 'OPS', summary: 'x', text: 'x' }, signal()),
  ];
  for (const one of asked) {
    await expect(one).rejects.toMatchObject({ code: 'bad_answer', mayHaveHappened: false });
  }
});

test('it stays on its host: redirects are not followed, and plain http works only for this machine', async () => {
  const elsewhere = await withOdd((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":0}');
  });
  const { reader } = await withOdd((_request, response) => {
    response.writeHead(307, { location: elsewhere.server.url }).end();
  });
  await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject({ code: 'redirected' });
  expect(elsewhere.server.requests).toEqual([]);
  expect(() => readerFor('http://jira.example')).toThrowError(
    expect.objectContaining({ code: 'egress_refused' }),
  );
});

test('a search ends although Jira goes on handing out empty pages', async () => {
  const { reader, server } = await withOdd((_request, response, count) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"issues":[],"nextPageToken":"again ${count}","isLast":false}`);
  });
  const found = await reader.search({ project: 'OPS' }, { limit: 5, order: 'newest' }, signal());
  expect(found).toMatchObject({ issues: [], more: true });
  expect(server.requests).toHaveLength(20);
});

const rowFields = {
  ...{
    summary: 'Checkout is slow',
    status: { name: 'To Do' },
    priority: { name: 'P1' },
    assignee: null,
    project: {},
  },
  ...{ created: '2026-03-10T10:00:00.000+0000', updated: '2026-03-10T10:00:00.000+0000' },
};

test('an issue that Jira gives on two pages is counted and listed once', async () => {
  const pages = [
    ['1', '2'],
    ['2', '3'],
  ];
  const { reader } = await withOdd((_request, response, count) => {
    const at = (count - 1) % pages.length;
    const issues = (pages[at] ?? []).map((id) => ({ id, key: `OPS-${id}`, fields: rowFields }));
    const isLast = at === pages.length - 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issues, isLast, ...(isLast ? {} : { nextPageToken: 'second' }) }));
  });
  expect(await reader.count({ project: 'OPS' }, signal())).toMatchObject({ total: 3, approximate: false });
  const found = await reader.search({ project: 'OPS' }, { limit: 10, order: 'newest' }, signal());
  expect(found.issues.map(({ key }) => key)).toEqual(['OPS-1', 'OPS-2', 'OPS-3']);
  expect(found.more).toBe(false);
});

test('where Jira goes round in a circle of pages nobody knows how many issues there are', async () => {
  const { reader, server } = await withOdd((_request, response, count) => {
    const issues = ['1', '2', '3'].map((id) => ({ id, key: `OPS-${id}`, fields: rowFields }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issues, nextPageToken: count % 2 === 0 ? 'a' : 'b', isLast: false }));
  });
  const unknown = { code: 'bad_answer', message: expect.stringContaining('it repeats its pages') };
  await expect(reader.count({ project: 'OPS' }, signal())).rejects.toMatchObject(unknown);
  expect(server.requests).toHaveLength(3);
  const all = { limit: 10, order: 'newest' } as const;
  await expect(reader.search({ project: 'OPS' }, all, signal())).rejects.toMatchObject(unknown);
  // A list that is full does not go on to the page that would be repeated.
  const full = await reader.search({ project: 'OPS' }, { ...all, limit: 3 }, signal());
  expect(full).toMatchObject({ issues: [{}, {}, {}], more: true });
});
