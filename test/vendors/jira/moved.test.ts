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

test('a move is sent once, and found again by its mark', async () => {
  accepts();
  expect(await move()).toMatchObject({ from: 'In Progress', to: 'Done' });
  stands('Done', [{ mark: 'cs-1', from: 'In Progress', to: 'Done' }]);
  expect(await moveByMark(access, { key: 'OPS-3', mark: 'cs-1' }, signal)).toMatchObject({ to: 'Done' });
});
