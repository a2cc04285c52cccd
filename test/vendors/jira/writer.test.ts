import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts';
import type { JiraOptions } from '../../../src/vendors/jira/options.ts';
import { createJiraReader } from '../../../src/vendors/jira/reader.ts';
import { createJiraWriter, findComment } from '../../../src/vendors/jira/writer.ts';

let sandbox: Sandbox;
let access: JiraOptions;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { JIRA_HOST: host = '', JIRA_EMAIL: email = '', JIRA_API_TOKEN: apiToken = '' } = sandbox.env;
  const people = { idOf: () => null, emailOf: async () => null };
  access = { host, email, apiToken, fetch, now: () => new Date(), priorities: {}, projects: ['OPS'], people };
});
afterAll(() => sandbox.close());

const { signal } = new AbortController();
const key = 'OPS-1';

test('a comment is found by its own mark only, and people see just its text', async () => {
  const since = new Date();
  const text = 'first line\n\n<b>not bold</b> @ana';
  const made = await createJiraWriter(access).comment({ key, text, mark: 'cs-1' }, signal);
  await createJiraWriter(access).comment({ key, text: 'another', mark: 'cs-2' }, signal);
  expect(await findComment(access, { key, mark: 'cs-1', since }, signal)).toEqual(made);
  expect(await findComment(access, { key, mark: 'cs-3', since }, signal)).toBeNull();
  expect(made.url).toBe(`${access.host}/browse/OPS-1?focusedCommentId=${made.id}`);
  const body = sandbox.jira.store.find(key).comments.find(({ id }) => id === made.id)?.body;
  expect(JSON.stringify(body)).toContain('<b>not bold</b> @ana');
});

test('a key that would change the path is refused before anything is sent', async () => {
  const before = sandbox.journal.list({ vendor: 'jira' }).length;
  const comment = { key: 'OPS-1/../../myself?x=', text: 'x', mark: 'cs-4' };
  await expect(createJiraWriter(access).comment(comment, signal)).rejects.toMatchObject({
    code: 'issue_key',
  });
  expect(sandbox.journal.list({ vendor: 'jira' })).toHaveLength(before);
});

const open = (fields: Partial<Parameters<typeof sandbox.jira.store.create>[0]> = {}) =>
  sandbox.jira.store.create({
    ...{ project: 'OPS', summary: 'Disk almost full', reporter: sandbox.jira.store.bot },
    ...fields,
  }).key;
const statusOf = (of: string) => sandbox.jira.store.find(of).status;

test('an issue is moved by status name, and the move is found by its own mark only', async () => {
  const writer = createJiraWriter(access);
  const reader = createJiraReader(access);
  const moved = open();
  expect(await writer.move({ key: moved, status: 'in progress', mark: 'cs-m1' }, signal)).toMatchObject({
    from: 'To Do',
    to: 'In Progress',
  });
  await writer.move({ key: moved, status: 'Blocked', mark: 'cs-m2' }, signal);
  expect(statusOf(moved)).toBe('Blocked');
  expect(await reader.moveByMark({ key: moved, mark: 'cs-m1' }, signal)).toMatchObject({
    from: 'To Do',
    to: 'In Progress',
  });
  expect(await reader.moveByMark({ key: moved, mark: 'cs-m2' }, signal)).toMatchObject({ to: 'Blocked' });
  expect(await reader.moveByMark({ key: moved, mark: 'cs-m3' }, signal)).toBeNull();
  // A move to the current status writes nothing.
  const before = sandbox.journal.list({ vendor: 'jira' }).filter(({ method }) => method === 'POST').length;
  expect(await writer.move({ key: moved, status: 'BLOCKED', mark: 'cs-m4' }, signal)).toMatchObject({
    from: 'Blocked',
    to: 'Blocked',
  });
  expect(sandbox.journal.list({ vendor: 'jira' }).filter(({ method }) => method === 'POST')).toHaveLength(
    before,
  );
});

test('a status category means the only reachable status in it, never one of several', async () => {
  const writer = createJiraWriter(access);
  const closing = open();
  expect(await writer.move({ key: closing, status: 'Closed', mark: 'cs-k1' }, signal)).toMatchObject({
    to: 'Resolved',
  });
  expect(await writer.move({ key: closing, status: 'reopened', mark: 'cs-k2' }, signal)).toMatchObject({
    to: 'To Do',
  });
  await writer.move({ key: closing, status: 'In Progress', mark: 'cs-k3' }, signal);
  await expect(writer.move({ key: closing, status: 'Closed', mark: 'cs-k4' }, signal)).rejects.toMatchObject({
    code: 'no_transition',
    message: expect.stringMatching(/“Closed”, but OPS-\d+ is “In Progress”.*“Blocked”, “Resolved”, “Done”/),
  });
});

test('a move missing from the workflow lists the available ones, and nothing is written', async () => {
  const writer = createJiraWriter(access);
  const stuck = open({ project: 'WEB', status: 'In Progress' });
  for (const [asked, code, message] of [
    [
      { status: 'In Review' },
      'no_transition',
      /argument status is “In Review”.*“Blocked”, “Resolved”, “Done”/,
    ],
    [
      { status: 'Done' },
      'field_missing',
      /needs the field “Resolution”.*argument resolution: “Done”, “Won't Do”/,
    ],
    [{ status: 'Done', resolution: 'Maybe' }, 'field_value', /can only be “Done”/],
    [{ status: 'Blocked', resolution: 'Done' }, 'field_unknown', /does not have it/],
  ] as const) {
    const move = writer.move({ key: stuck, mark: 'cs-x', ...asked }, signal);
    await expect(move).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  }
  expect(statusOf(stuck)).toBe('In Progress');
  await writer.move({ key: stuck, status: 'Done', resolution: "won't do", mark: 'cs-r' }, signal);
  expect(sandbox.jira.store.find(stuck)).toMatchObject({ status: 'Done', resolution: "Won't Do" });
});

test('a new issue carries our mark and its link, and is found by the mark', async () => {
  const since = new Date();
  const incident = open();
  const asked = {
    ...{ project: 'OPS', summary: 'Write\nthe review', text: 'one\n@ana *two*', type: 'bug', priority: 'P2' },
    ...{ label: 'review', component: 'database', assignee: 'Ana Ruiz', follows: incident, mark: 'cs-c1' },
  };
  const made = await createJiraWriter(access).create(asked, signal);
  expect(made).toMatchObject({ linked: true, url: `${access.host}/browse/${made.key}` });
  expect(sandbox.jira.store.find(made.key)).toMatchObject({
    ...{ summary: 'Write the review', issueType: 'Bug', priority: 'P2', labels: ['review'] },
    ...{ components: ['Database'], links: [incident], properties: { countersign: { mark: 'cs-c1' } } },
    assignee: { displayName: 'Ana Ruiz' },
  });
  const find = (mark: string) =>
    createJiraReader(access).issueByMark({ project: 'OPS', mark, since }, signal);
  expect(await find('cs-c1')).toEqual(made);
  expect(await find('cs-c2')).toBeNull();
});

test('a value that the project does not accept is refused by argument, and nothing is written', async () => {
  const count = sandbox.jira.store.issues().length;
  const base = { project: 'PAY', summary: 'x', text: 'x', mark: 'cs-e' };
  for (const [change, code, message] of [
    [{ project: 'NOPE' }, 'no_project', /argument project is NOPE/],
    [{ project: 'OPS/../x' }, 'project_key', /argument project/],
    [{ type: 'Sonnet' }, 'no_type', /“Sonnet”; PAY has “Bug”, “Story”, “Task”, “Incident”/],
    [
      { type: 'incident' },
      'field_missing',
      /needs “Components” for “Incident”.*argument component: “Gateway”/,
    ],
    [{ component: 'Basement' }, 'no_component', /only “Gateway”, “Database”, “Web”/],
    [{ priority: 'P7' }, 'no_priority', /argument priority is “P7”; PAY has only “P1”/],
    [{ label: 'two words' }, 'bad_label', /no spaces/],
    [{ assignee: 'Nobody Here' }, 'no_account', /argument assignee/],
    [{ follows: 'OPS-1?x' }, 'issue_key', /issue key/],
  ] as const) {
    const made = createJiraWriter(access).create({ ...base, ...change }, signal);
    await expect(made).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  }
  expect(sandbox.jira.store.issues()).toHaveLength(count);
});

test('without links on the create screen a ticket is linked afterwards, once; a refused link says why', async () => {
  const followed = open();
  const since = new Date();
  const asked = { project: 'WEB', summary: 'x', text: 'x', follows: followed };
  const writer = createJiraWriter(access);
  const made = await writer.create({ ...asked, mark: 'cs-l1' }, signal);
  expect(made).toMatchObject({ linked: true });
  expect(sandbox.jira.store.find(followed).links).toEqual([made.key]);
  const match = { path: '/rest/api/3/issueLink', method: 'POST' };
  sandbox.faults.add({ vendor: 'jira', match, kind: 'lost-answer', times: 1 });
  const again = await writer.create({ ...asked, mark: 'cs-l2' }, signal);
  expect(again).toMatchObject({ linked: true });
  expect(sandbox.jira.store.find(followed).links).toEqual([made.key, again.key]);
  sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 404 });
  const alone = await writer.create({ ...asked, mark: 'cs-l3' }, signal);
  sandbox.faults.clear();
  expect(alone).toMatchObject({ linked: false, apart: expect.stringContaining('Jira') });
  const found = createJiraReader(access).issueByMark({ project: 'WEB', mark: 'cs-l3', since }, signal);
  expect(await found).toMatchObject({ key: alone.key, linked: false });
});

test('a missing permission is reported, and a lost answer leaves the write open', async () => {
  const moved = open();
  const move = () => createJiraWriter(access).move({ key: moved, status: 'Blocked', mark: 'cs-f' }, signal);
  const fault = {
    vendor: 'jira',
    match: { path: `/rest/api/3/issue/${moved}/transitions`, method: 'POST' },
  } as const;
  sandbox.faults.add({ ...fault, kind: 'status', status: 403, times: 1 });
  await expect(move()).rejects.toMatchObject({ code: 'forbidden', mayHaveHappened: false });
  sandbox.faults.add({ ...fault, kind: 'lost-answer', times: 1 });
  await expect(move()).rejects.toMatchObject({ mayHaveHappened: true });
  const found = await createJiraReader(access).moveByMark({ key: moved, mark: 'cs-f' }, signal);
  expect(found).toMatchObject({ from: 'To Do', to: 'Blocked' });
});
