import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSlackGateway } from '../../../src/vendors/slack/gateway.ts';
import { createSlackToolPort } from '../../../src/vendors/slack/tool-port.ts';
import { startOddServer } from '../../support/odd-server.ts';
import { keepingLog, startWorkspace, type TestWorkspace } from '../../support/slack-workspace.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const book = (name: string) => (name === '#ops' ? { channel: 'C0OPS' } : { userId: 'U0ANA' });
const never = new AbortController().signal;
const at = (method: string) => ({ vendor: 'slack', match: { path: `/api/${method}` } }) as const;
const asked = (method: string) =>
  workspace.journal.list({ vendor: 'slack' }).filter(({ path }) => path.endsWith(method)).length;

function port() {
  return createSlackToolPort(workspace.gateway, book);
}

test('a post is attempted once and no more: another attempt is for whoever may ask for permission again', async () => {
  const busy = { kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 } as const;
  workspace.faults.add({ ...at('chat.postMessage'), ...busy });
  const message = { to: '#ops', text: 'hello', key: 'k1', context: '' };
  await expect(port().writer.post(message, never)).rejects.toMatchObject({
    retryable: true,
    mayHaveHappened: false,
    retryAfterMs: 1_000,
  });
  expect(asked('chat.postMessage')).toBe(1);
  expect(workspace.botMessages('C0OPS')).toEqual([]);
});

test('when the conversation with a person cannot be opened, certainly nothing was posted', async () => {
  workspace.faults.add({ ...at('conversations.open'), kind: 'reset' });
  const message = { to: '@ana', text: 'hello', key: 'k1', context: '' };
  await expect(port().writer.post(message, never)).rejects.toMatchObject({
    retryable: true,
    mayHaveHappened: false,
  });
  expect(asked('chat.postMessage')).toBe(0);
});

test('a message that is there counts as found, also when the clocks differ, and while its address cannot be asked for', async () => {
  const since = new Date();
  const { reader, writer } = port();
  const posted = await writer.post({ to: '#ops', text: 'hello', key: 'k1', context: '' }, never);
  // Our clock is ahead of Slack's: what we posted looks older than our start.
  const ahead = new Date(since.getTime() + 5 * 60_000);
  expect(await reader.postByKey('#ops', 'k1', ahead, never)).toMatchObject({ ts: posted.ts });
  const farAhead = new Date(since.getTime() + 20 * 3_600_000);
  expect(await reader.postByKey('#ops', 'k1', farAhead, never)).toMatchObject({ ts: posted.ts });
  workspace.faults.add({ ...at('chat.getPermalink'), kind: 'status', status: 500 });
  const address = `https://slack.com/archives/C0OPS/p${posted.ts.replace('.', '')}`;
  expect(await reader.postByKey('#ops', 'k1', since, never)).toMatchObject({ ts: posted.ts, link: address });
  const next = await writer.post({ to: '#ops', text: 'again', key: 'k2', context: '' }, never);
  expect(next.link).toBe(`https://slack.com/archives/C0OPS/p${next.ts.replace('.', '')}`);
});

test('an answer in another shape is no answer: nobody counts as allowed by it, and no message as absent', async () => {
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

test('what another app signed with our key is not ours, and what could not be read to its end is not absent', async () => {
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
    code: 'slack_too_many_messages',
  });
  await server.close();
});
