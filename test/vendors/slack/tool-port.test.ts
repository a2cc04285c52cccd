import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from '../../../sandbox/world.ts';
import { createSlackGateway } from '../../../src/vendors/slack/gateway.ts';
import { type AddressBook, createSlackToolPort } from '../../../src/vendors/slack/tool-port.ts';
import { startOddServer } from '../../support/odd-server.ts';
import { keepingLog, startWorkspace, type TestWorkspace } from '../../support/slack-workspace.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const book: AddressBook = {
  find: (name) => (name === '#ops' ? { channel: 'C0OPS' } : { userId: 'U0ANA' }),
  handleOf: (userId) => (userId === 'U0ANA' ? '@ana' : null),
};
const never = new AbortController().signal;
const at = (method: string) => ({ vendor: 'slack', match: { path: `/api/${method}` } }) as const;
const asked = (method: string) =>
  workspace.journal.list({ vendor: 'slack' }).filter(({ path }) => path.endsWith(method)).length;

function about() {
  const log = keepingLog();
  return { token: world.slack.botToken, apiUrl: workspace.slack.apiUrl, fetch, log, now: () => new Date() };
}

function port() {
  return createSlackToolPort(workspace.gateway, book);
}

test('a post is attempted once: a retry is left to the caller, who asks for permission again', async () => {
  const busy = { kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 } as const;
  workspace.faults.add({ ...at('chat.postMessage'), ...busy });
  const message = { to: '#ops', text: 'hello', key: 'k1', context: '', threadLink: null };
  await expect(port().writer.post(message, never)).rejects.toMatchObject({
    retryable: true,
    mayHaveHappened: false,
    retryAfterMs: 1_000,
  });
  expect(asked('chat.postMessage')).toBe(1);
  expect(workspace.botMessages('C0OPS')).toEqual([]);
});

test('if the direct message cannot be opened, certainly nothing was posted', async () => {
  workspace.faults.add({ ...at('conversations.open'), kind: 'reset' });
  const message = { to: '@ana', text: 'hello', key: 'k1', context: '', threadLink: null };
  await expect(port().writer.post(message, never)).rejects.toMatchObject({
    retryable: true,
    mayHaveHappened: false,
  });
  expect(asked('chat.postMessage')).toBe(0);
});

test('an existing message is found even if clocks differ or its permalink is unavailable', async () => {
  const since = new Date();
  const { reader, writer } = port();
  const posted = await writer.post(
    { to: '#ops', text: 'hello', key: 'k1', context: '', threadLink: null },
    never,
  );
  for (const hours of [-20, 0, 20]) {
    // Our post looks older than our start, or much younger.
    const shift = (moment: Date) => new Date(moment.getTime() + hours * 3_600_000);
    const gateway = createSlackGateway({ ...about(), now: () => shift(new Date()) });
    const shifted = createSlackToolPort(gateway, book).reader;
    expect(await shifted.postByKey('#ops', 'k1', shift(since), never)).toMatchObject({ ts: posted.ts });
  }
  workspace.faults.add({ ...at('chat.getPermalink'), kind: 'status', status: 500 });
  const address = `https://slack.com/archives/C0OPS/p${posted.ts.replace('.', '')}`;
  expect(await reader.postByKey('#ops', 'k1', since, never)).toMatchObject({ ts: posted.ts, link: address });
  const next = await writer.post(
    { to: '#ops', text: 'again', key: 'k2', context: '', threadLink: null },
    never,
  );
  expect(next.link).toBe(`https://slack.com/archives/C0OPS/p${next.ts.replace('.', '')}`);
});

test('a malformed answer is an error: it neither identifies a person nor proves a message absent', async () => {
  const odd = {
    ok: true,
    user_id: 'U0BOT',
    team_id: 'T1',
    bot_id: 'B1',
    messages: [{}],
    user: { name: 'ana' },
  };
  const server = await startOddServer((_request, response) => {
    response.end(JSON.stringify(odd));
  });
  const options = {
    token: 'xoxb-1',
    apiUrl: `${server.url}/api/`,
    fetch,
    log: keepingLog(),
    now: () => new Date(),
  };
  const gateway = createSlackGateway(options);
  const passing = { code: 'slack_bad_answer', retryable: true };
  await expect(gateway.userInfo('U0ANA')).rejects.toMatchObject(passing);
  const where = { channel: 'C0OPS', key: 'k1', since: new Date() };
  await expect(gateway.findByKey(where)).rejects.toMatchObject(passing);
  await server.close();
});

test('who reads a channel is asked of Slack, and only for channels of the catalogue', async () => {
  const { reader } = port();
  expect(await reader.audienceOf('#ops')).toBe('everyone');
  await expect(reader.audienceOf('#nowhere')).rejects.toMatchObject({ code: 'slack_unknown_target' });
});

test('only a configured person is found by e-mail', async () => {
  const { reader } = port();
  expect(await reader.handleOf('ana@acme.example')).toBe('@ana');
  expect(await reader.handleOf('ben@acme.example')).toBeNull();
  expect(await reader.handleOf('nobody@acme.example')).toBeNull();
});

test("another app's message with our key is not ours, and a partial search does not prove absence", async () => {
  const metadata = { event_type: 'countersign_message', event_payload: { key: 'k1' } };
  let history: object = { messages: [{ ts: '1.2', user: 'U0OTHER', metadata }], has_more: false };
  const server = await startOddServer((_request, response) => {
    response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', team_id: 'T1', bot_id: 'B1', ...history }));
  });
  const gateway = createSlackGateway({
    ...{ token: 'xoxb-1', apiUrl: `${server.url}/api/`, fetch, log: keepingLog(), now: () => new Date() },
  });
  const { reader } = createSlackToolPort(gateway, book);
  expect(await reader.postByKey('#ops', 'k1', new Date(), never)).toBeNull();
  const busy = [{ ts: '1.2', user: 'U0ANA' }];
  history = { messages: busy, has_more: true, response_metadata: { next_cursor: 'next' } };
  await expect(reader.postByKey('#ops', 'k1', new Date(), never)).rejects.toMatchObject({
    code: 'slack_cannot_tell',
    retryable: true,
  });
  // Our clock was hours ahead when the post was made, and has been corrected since.
  history = { messages: [], has_more: false };
  const future = new Date(Date.now() + 3_600_000);
  await expect(reader.postByKey('#ops', 'k1', future, never)).rejects.toMatchObject({
    code: 'slack_cannot_tell',
  });
  await server.close();
});

/** Posts many messages in #ops without delivering them to the app. */
async function chatter(count: number): Promise<void> {
  const { slack } = workspace;
  for (let one = 0; one < count; one += 1) await slack.postAs({ as: 'ana', channel: 'ops', text: `${one}` });
}

test('a post is found in a busy channel, without reading what came long before it', async () => {
  const clock = { ms: Date.now() - 5 * 3_600_000 };
  const now = () => new Date(clock.ms);
  await workspace.close();
  workspace = await startWorkspace({ now, times: { eventRetryMs: [] } });
  await chatter(1_100);
  clock.ms += 3_600_000;
  const since = now();
  const { reader, writer } = port();
  expect(await reader.postByKey('#ops', 'k1', since, never)).toBeNull();
  expect(asked('conversations.history')).toBe(1);

  const message = { to: '#ops', text: 'hello', key: 'k1', context: '', threadLink: null };
  const posted = await writer.post(message, never);
  clock.ms += 3 * 3_600_000;
  await chatter(1_100);
  expect(await reader.postByKey('#ops', 'k1', since, never)).toMatchObject({ ts: posted.ts });
  expect(asked('conversations.history')).toBe(2);
  expect(await reader.postByKey('#ops', 'absent', since, never)).toBeNull();
});

test('the footer of a post links to its thread, and nothing else in it is live', async () => {
  const threadLink = 'https://acme.slack.com/archives/C0OPS/p17';
  const context = 'Asked for by <@U0BEN>, approved by https://evil.example';
  await port().writer.post({ to: '#ops', text: 'hello', key: 'k1', context, threadLink }, never);
  const footer = workspace.botMessages('C0OPS')[0]?.blocks.at(-1);
  const texts = JSON.stringify(footer);
  expect(texts).toContain('<https://acme.slack.com/archives/C0OPS/p17|Open the thread>');
  expect(texts).not.toContain('<@U0BEN>');
  expect(texts).not.toContain('https://evil.example');
});
