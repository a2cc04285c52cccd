import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts';
import type { JiraAccess } from '../../../src/vendors/jira/transport.ts';
import { createJiraWriter, findComment } from '../../../src/vendors/jira/writer.ts';

let sandbox: Sandbox;
let access: JiraAccess;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { JIRA_HOST: host = '', JIRA_EMAIL: email = '', JIRA_API_TOKEN: apiToken = '' } = sandbox.env;
  access = { host, email, apiToken, fetch, now: () => new Date() };
});
afterAll(() => sandbox.close());

const { signal } = new AbortController();
const key = 'OPS-1';

test('a comment is found again by its mark and by no other, and people see its text alone', async () => {
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

test('a key that would lead elsewhere is refused before anything is sent', async () => {
  const before = sandbox.journal.list({ vendor: 'jira' }).length;
  const comment = { key: 'OPS-1/../../myself?x=', text: 'x', mark: 'cs-4' };
  await expect(createJiraWriter(access).comment(comment, signal)).rejects.toMatchObject({
    code: 'issue_key',
  });
  expect(sandbox.journal.list({ vendor: 'jira' })).toHaveLength(before);
});
