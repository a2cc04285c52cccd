import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JiraOptions } from '../../../src/vendors/jira/options.ts';
import { moveByMark } from '../../../src/vendors/jira/transition.ts';
import { createJiraWriter } from '../../../src/vendors/jira/writer.ts';
import { mockHost } from '../../support/http-mock.ts';

const host = 'https://acme.atlassian.net';
const issue = /^\/rest\/api\/3\/issue\/OPS-3\?/;
const transitions = '/rest/api/3/issue/OPS-3/transitions';
const { signal } = new AbortController();
const people = { idOf: () => null, emailOf: async () => null };
const access: JiraOptions = {
  ...{ host, email: 'bot@acme.example', apiToken: 'not-a-secret', people, fetch: (...of) => fetch(...of) },
  ...{ now: () => new Date('2026-03-02T12:00:00Z'), priorities: {}, projects: ['OPS'] },
};

let jira: ReturnType<typeof mockHost>;
beforeEach(() => {
  jira = mockHost(host);
});
afterEach(() => jira.done());

function stands(status: string, moves: readonly object[] = []): void {
  const answer = {
    fields: { summary: 'Disk', status: { name: status } },
    properties: { countersign: { moves } },
  };
  jira.expect({ method: 'GET', path: issue, status: 200, answer });
}

/** Jira accepts the move from In Progress to Done. */
function accepts(): void {
  stands('In Progress');
  const offered = { transitions: [{ id: '31', name: 'Finish', to: { name: 'Done' } }] };
  jira.expect({ method: 'GET', path: new RegExp(`^${transitions}`), status: 200, answer: offered });
  jira.expect({ method: 'POST', path: transitions, status: 204 });
}

const move = () => createJiraWriter(access).move({ key: 'OPS-3', status: 'Done', mark: 'cs-1' }, signal);

test('a move that Jira accepts but does not make is in doubt, and the message names the current status', async () => {
  accepts();
  stands('In Progress');
  await expect(move()).rejects.toMatchObject({
    ...{ code: 'not_moved', mayHaveHappened: true, retryable: false },
    message: 'Jira accepted the move to “Done”, but OPS-3 is still “In Progress”.',
  });
  stands('In Progress', [{ mark: 'cs-1', from: 'In Progress', to: 'Done' }]);
  await expect(moveByMark(access, { key: 'OPS-3', mark: 'cs-1' }, signal)).rejects.toMatchObject({
    code: 'not_moved',
  });
});

test('a move is reported with the status that the ticket has afterwards', async () => {
  accepts();
  stands('Done');
  expect(await move()).toMatchObject({ from: 'In Progress', to: 'Done' });
  // The workflow moved it on by itself.
  accepts();
  stands('Closed');
  expect(await move()).toMatchObject({ from: 'In Progress', to: 'Closed' });
});

test('a move that cannot be verified is in doubt', async () => {
  accepts();
  jira.expect({ method: 'GET', path: issue, status: 403, answer: {} });
  await expect(move()).rejects.toMatchObject({ mayHaveHappened: true, retryable: false });
});
