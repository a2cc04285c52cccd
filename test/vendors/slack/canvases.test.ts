import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultApp } from '../../../sandbox/slack/default-app.ts';
import { type AddressBook, createSlackToolPort } from '../../../src/vendors/slack/tool-port.ts';
import { startWorkspace, type TestWorkspace } from '../../support/slack-workspace.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const book: AddressBook = { find: () => ({ channel: 'C0OPS' }), handleOf: () => null };
const signal = () => AbortSignal.timeout(5_000);
const port = () => createSlackToolPort(workspace.gateway, book);
const fault = (method: string, kind: 'reset' | 'lost-answer') =>
  workspace.faults.add({ vendor: 'slack', match: { path: `/api/${method}` }, kind, times: 1 });
const canvas = (text: string, key = 'cs-run-1-canvas') => ({ to: '#ops', title: 'Disk full', text, key });

test('a canvas holds headings and lists, and nothing in its text is a mention, a link or markup', async () => {
  const text = ['## Timeline', '- ![](@U0ANA) <!channel>', '- [a](https://x.example)', 'end **b**'].join(
    '\n',
  );
  const { id, link } = await port().writer.createCanvas(canvas(text), signal());
  expect(link).toBe(`https://acme-sandbox.slack.com/docs/T0SANDBOX/${id}`);
  const [made] = workspace.slack.canvases();
  expect(made).toMatchObject({ channel: 'C0OPS', title: 'Disk full' });
  expect(made?.markdown).toBe(
    '## Timeline\n\n- \\!\\[\\]\\(@U0ANA\\) \\<\\!channel\\>\n- \\[a\\]\\(https\\://x.example\\)\n' +
      'end \\*\\*b\\*\\*\n\nReference cs-run-1-canvas',
  );
});

test('a canvas whose answer was lost may exist, and is found by its key alone', async () => {
  const since = new Date();
  fault('canvases.create', 'lost-answer');
  const writing = port().writer.createCanvas(canvas('hello'), signal());
  await expect(writing).rejects.toMatchObject({ mayHaveHappened: true });
  await port().writer.createCanvas(canvas('cs-run', 'cs-run-2-canvas'), signal());
  const [first] = workspace.slack.canvases();
  const { reader } = port();
  expect(await reader.canvasByKey('cs-run-1-canvas', since, signal())).toMatchObject({ id: first?.id });
  expect(await reader.canvasByKey('cs-run-3-canvas', since, signal())).toBeNull();
});

test('a canvas without an address is made all the same', async () => {
  fault('files.info', 'reset');
  fault('files.info', 'reset');
  fault('files.info', 'reset');
  expect(await port().writer.createCanvas(canvas('hello'), signal())).toMatchObject({ link: '' });
  expect(workspace.slack.canvases()).toHaveLength(1);
});

test('an app without the scopes is told which it lacks', async () => {
  expect(await port().reader.missingForCanvases(signal())).toEqual([]);
  await workspace.close();
  const scopes = defaultApp.scopes.filter((scope) => !scope.startsWith('canvases:'));
  workspace = await startWorkspace({ app: { ...defaultApp, scopes } });
  expect(await port().reader.missingForCanvases(signal())).toEqual(['canvases:read', 'canvases:write']);
  const writing = port().writer.createCanvas(canvas('hello'), signal());
  await expect(writing).rejects.toMatchObject({ code: 'slack_missing_scope', mayHaveHappened: false });
});

test('a refused canvas says what to do, and one that only lacks its tab may exist', async () => {
  const refused = (error: string) => {
    const match = { path: '/api/canvases.create' };
    workspace.faults.add({
      ...{ vendor: 'slack', match, kind: 'status', status: 200, times: 1 },
      body: { ok: false, error },
    });
    return port().writer.createCanvas(canvas('hello'), signal());
  };
  await expect(refused('free_team_canvas_tab_already_exists')).rejects.toMatchObject({
    message: expect.stringMatching(/one canvas per channel/),
    mayHaveHappened: false,
  });
  await expect(refused('canvas_disabled_user_team')).rejects.toThrow(/turned off/);
  await expect(refused('canvas_tab_creation_failed')).rejects.toMatchObject({ mayHaveHappened: true });
});
