import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Fields, fieldsAt, isFields } from '../../sandbox/slack/fields.ts';
import type { SlackSandbox } from '../../sandbox/slack/slack-sandbox.ts';
import { world } from '../../sandbox/world.ts';
import { clientOf, messagesIn, startWorkspace } from './slack-workspace.ts';

type Answer = Fields | 'silent' | { readonly afterMs: number };

interface Listener {
  readonly heard: Fields[];
  readonly socket: WebSocket;
}

/** A bare Socket Mode client that answers each envelope as told. */
async function listen(slack: SlackSandbox, answer: (envelope: Fields) => Answer): Promise<Listener> {
  const { url } = await clientOf(slack, world.slack.appToken).apps.connections.open({});
  const socket = new WebSocket(url ?? '');
  const heard: Fields[] = [];
  onTestFinished(() => socket.terminate());
  const hello = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const envelope: unknown = JSON.parse(String(data));
      if (!isFields(envelope)) return;
      if (envelope.type === 'hello') return resolve();
      heard.push(envelope);
      reply(socket, envelope, answer(envelope));
    });
  });
  await hello;
  return { heard, socket };
}

function reply(socket: WebSocket, envelope: Fields, answer: Answer): void {
  if (answer === 'silent') return;
  const id = envelope.envelope_id;
  if (typeof answer.afterMs === 'number') {
    setTimeout(() => socket.send(JSON.stringify({ envelope_id: id })), answer.afterMs);
    return;
  }
  socket.send(JSON.stringify({ envelope_id: id, payload: answer }));
}

const payloadOf = (envelope: Fields | undefined) => fieldsAt(envelope ?? {}, 'payload');
const slackbotSays = (slack: SlackSandbox, as: string) =>
  messagesIn(slack, 'C0OPS', as).flatMap((one) => (one.user === 'USLACKBOT' ? [one.text] : []));

test('without a connection, an answer in time or at all, the person is told and nothing is repeated', async () => {
  const { slack } = await startWorkspace({ times: { ackMs: 150, lateMs: 1_000 } });
  const command = (text: string) => slack.command({ as: 'ben', channel: 'ops', text });
  expect(await command('nobody there')).toEqual({
    delivered: true,
    acknowledged: false,
    late: false,
    error: 'dispatch_failed',
  });

  const { heard } = await listen(slack, (envelope) => {
    const text = payloadOf(envelope).text;
    if (text === 'late') return { afterMs: 400 };
    return text === 'silent' ? 'silent' : { text: 'Here' };
  });
  const timedOut = { delivered: true, acknowledged: false, error: 'operation_timeout' };
  expect(await command('late')).toEqual({ ...timedOut, late: true });
  expect(await command('silent')).toEqual({ ...timedOut, late: false });
  expect(await command('prompt')).toMatchObject({
    acknowledged: true,
    late: false,
    response: { text: 'Here' },
  });
  expect(heard.map((one) => payloadOf(one).text)).toEqual(['late', 'silent', 'prompt']);
  expect(slackbotSays(slack, 'U0BEN')).toEqual([
    '/plan failed with the error "dispatch_failed".',
    '/plan failed because the app did not respond (operation_timeout).',
    '/plan failed because the app did not respond (operation_timeout).',
  ]);
  expect(slackbotSays(slack, 'U0ANA')).toEqual([]);
});

test('an envelope looks as Slack’s does, and a ticket for a connection works once', async () => {
  const { slack } = await startWorkspace();
  const { heard } = await listen(slack, () => ({}));
  await slack.command({ as: 'ben', channel: 'ops', text: ' Check <!here> & @ana ' });
  expect(heard[0]).toMatchObject({ type: 'slash_commands', accepts_response_payload: true });
  expect(payloadOf(heard[0])).toMatchObject({
    command: '/plan',
    text: 'Check &lt;!here&gt; &amp; @ana',
    user_id: 'U0BEN',
    user_name: 'ben',
    channel_id: 'C0OPS',
    channel_name: 'ops',
    team_id: 'T0SANDBOX',
    api_app_id: 'A0COUNTER',
  });
  const { url = '' } = await clientOf(slack, world.slack.appToken).apps.connections.open({});
  const closed = (socket: WebSocket) =>
    new Promise<string>((resolve) => {
      socket.on('open', () => resolve('open'));
      socket.on('error', (error) => resolve(error.message));
    });
  const first = new WebSocket(url);
  onTestFinished(() => first.terminate());
  expect(await closed(first)).toBe('open');
  expect(await closed(new WebSocket(url))).toBe('Unexpected server response: 404');
});

test('with several connections each envelope goes to one of them, in turn', async () => {
  const { slack } = await startWorkspace();
  const one = await listen(slack, () => ({}));
  const two = await listen(slack, () => ({}));
  expect(slack.connections).toBe(2);
  for (const text of ['a', 'b', 'c', 'd']) await slack.command({ as: 'ben', channel: 'ops', text });
  expect([one.heard.length, two.heard.length]).toEqual([2, 2]);
  slack.disconnectSockets();
  await expect
    .poll(() => one.heard.at(-1))
    .toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
  one.socket.close();
  await expect.poll(() => slack.connections).toBe(1);
  await slack.command({ as: 'ben', channel: 'ops', text: 'e' });
  expect(two.heard.map((envelope) => payloadOf(envelope).text)).toContain('e');
});

test('an event that nobody acknowledges comes again with the same id, three times at most', async () => {
  const { slack } = await startWorkspace({ times: { ackMs: 50, lateMs: 0, eventRetryMs: [1, 1, 1] } });
  const { heard } = await listen(slack, () => 'silent');
  const outcome = await slack.postAs({ as: 'ben', channel: 'general', text: 'status of @countersign?' });
  expect(outcome).toMatchObject({ acknowledged: false, error: 'operation_timeout' });
  const mentions = () => heard.filter((one) => fieldsAt(payloadOf(one), 'event').type === 'app_mention');
  await expect.poll(() => mentions().length, { timeout: 5_000 }).toBe(4);
  expect(mentions().map((one) => [one.retry_attempt, one.retry_reason])).toEqual([
    [0, ''],
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ]);
  expect(new Set(mentions().map((one) => payloadOf(one).event_id)).size).toBe(1);
  expect(fieldsAt(payloadOf(mentions()[0]), 'event')).toMatchObject({
    channel: 'C0GENERAL',
    user: 'U0BEN',
    text: 'status of <@U0COUNTER>?',
    ts: outcome.ts,
  });
});

async function listenOverHttp(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => handle(request, Buffer.concat(parts).toString('utf8'), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return `http://127.0.0.1:${address.port}/slack/events`;
}

test('over HTTP a failure is Slack’s error, events say why they come again, and the app may decline that', async () => {
  const heard: { retry: string | undefined; reason: string | undefined; type: string | undefined }[] = [];
  let decline = false;
  const requestUrl = await listenOverHttp((request, _body, response) => {
    const { headers } = request;
    heard.push({
      retry: headers['x-slack-retry-num']?.toString(),
      reason: headers['x-slack-retry-reason']?.toString(),
      type: headers['content-type'],
    });
    response.writeHead(500, decline ? { 'x-slack-no-retry': '1' } : {}).end();
  });
  const { slack } = await startWorkspace({ mode: 'http', requestUrl, times: { eventRetryMs: [1, 1] } });
  expect(await slack.command({ as: 'ben', channel: 'ops', text: 'a' })).toMatchObject({
    acknowledged: false,
    error: 'http_service_error',
    status: 500,
  });
  expect(slackbotSays(slack, 'U0BEN')).toEqual(['/plan failed with the error "http_service_error".']);
  await slack.openHome({ as: 'ben' });
  await expect.poll(() => heard.length).toBe(4);
  expect(heard).toEqual([
    { type: 'application/x-www-form-urlencoded', retry: undefined, reason: undefined },
    { type: 'application/json', retry: undefined, reason: undefined },
    { type: 'application/json', retry: '1', reason: 'http_error' },
    { type: 'application/json', retry: '2', reason: 'http_error' },
  ]);
  decline = true;
  expect(await slack.openHome({ as: 'ben' })).toMatchObject({ acknowledged: false, noRetry: true });

  slack.requestUrl = 'http://127.0.0.1:1/';
  expect(await slack.command({ as: 'ben', channel: 'ops', text: 'a' })).toMatchObject({
    error: 'http_client_error',
  });
});

test('over HTTP the body of the acknowledgement is shown, plain or structured, and nonsense is not', async () => {
  const answers = [
    { type: 'text/plain', body: 'As you wish' },
    { type: 'application/json', body: '{"response_type":"in_channel","text":"For all"}' },
    { type: 'application/json', body: '{"text":' },
    { type: 'application/json', body: '{"blocks":[{"type":"nonsense"}]}' },
    { type: 'text/plain', body: '' },
  ];
  const requestUrl = await listenOverHttp((_request, _body, response) => {
    const answer = answers.shift();
    response.writeHead(200, { 'content-type': answer?.type ?? 'text/plain' }).end(answer?.body);
  });
  const { slack } = await startWorkspace({ mode: 'http', requestUrl });
  for (const text of ['a', 'b', 'c', 'd', 'e']) await slack.command({ as: 'ben', channel: 'support', text });
  expect(messagesIn(slack, 'C0SUPPORT', 'U0BEN').map((one) => [one.text, one.ephemeralFor])).toEqual([
    ['As you wish', 'U0BEN'],
    ['For all', undefined],
    ['/plan failed with the error "http_client_error".', 'U0BEN'],
    ['/plan failed with the error "invalid_command_response" (invalid_blocks).', 'U0BEN'],
  ]);
});

test('a response_url answers five times within half an hour, also where the bot is no member', async () => {
  const { slack, advance } = await startWorkspace();
  const { heard } = await listen(slack, () => ({}));
  await slack.command({ as: 'ben', channel: 'support', text: 'a' });
  const respond = async (url: unknown, body: Fields) => {
    const response = await fetch(String(url), { method: 'POST', body: JSON.stringify(body) });
    return [response.status, await response.text()];
  };
  const url = payloadOf(heard[0]).response_url;
  expect(await respond(url, { text: 'Only you' })).toEqual([200, 'ok']);
  expect(await respond(url, { text: 'All', response_type: 'in_channel' })).toEqual([200, 'ok']);
  expect(await respond(url, {})).toEqual([400, '{"ok":false,"error":"no_text"}']);
  expect(await respond(url, { text: 'Three' })).toEqual([200, 'ok']);
  expect(await respond(url, { text: 'Four' })).toEqual([200, 'ok']);
  expect(await respond(url, { text: 'Six' })).toEqual([404, '{"ok":false,"error":"used_url"}']);
  expect(messagesIn(slack, 'C0SUPPORT').map((one) => [one.text, one.ephemeralFor])).toEqual([
    ['Only you', 'U0BEN'],
    ['All', undefined],
    ['Three', 'U0BEN'],
    ['Four', 'U0BEN'],
  ]);

  await slack.command({ as: 'ben', channel: 'support', text: 'b' });
  advance(30 * 60_000 + 1);
  const old = payloadOf(heard[1]).response_url;
  expect(await respond(old, { text: 'Late' })).toEqual([404, '{"ok":false,"error":"expired_url"}']);
  expect(await respond(`${slack.url}/commands/T0SANDBOX/1/2`, { text: 'Hi' })).toEqual([
    404,
    '{"ok":false,"error":"no_such_url"}',
  ]);
});

test('a click carries the message, and its response_url changes or deletes that message', async () => {
  const { slack, client } = await startWorkspace();
  const { heard } = await listen(slack, () => ({}));
  const elements = ['approve', 'reject'].map((id) => ({
    type: 'button' as const,
    action_id: id,
    value: `${id}-r1`,
    text: { type: 'plain_text' as const, text: 'R & D' },
  }));
  const blocks = [{ type: 'actions' as const, block_id: 'decide', elements }];
  const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Plan', blocks });
  const private_ = await client.chat.postEphemeral({
    channel: 'C0OPS',
    user: 'U0ANA',
    text: 'Sure?',
    blocks,
  });
  const click = { as: 'ana', channel: 'ops', ts, actionId: 'approve' };
  await slack.clickButton(click);
  const payload = payloadOf(heard[0]);
  expect(payload).toMatchObject({
    type: 'block_actions',
    user: { id: 'U0ANA', username: 'ana' },
    channel: { id: 'C0OPS', name: 'ops' },
    container: { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false },
    message: { ts, text: 'Plan', bot_id: 'B0COUNTER' },
    actions: [{ action_id: 'approve', block_id: 'decide', value: 'approve-r1', text: { text: 'R &amp; D' } }],
  });
  const respond = (url: unknown, body: Fields) =>
    fetch(String(url), { method: 'POST', body: JSON.stringify(body) }).then((response) => response.status);
  expect(await respond(payload.response_url, { replace_original: true, text: 'Approved' })).toBe(200);
  expect(messagesIn(slack, 'C0OPS', 'U0BEN')).toMatchObject([
    { ts, text: 'Approved', blocks: [], edited: true },
  ]);

  await slack.clickButton({ ...click, ts: private_.message_ts ?? '' });
  const second = payloadOf(heard[1]);
  expect(second).toMatchObject({ container: { is_ephemeral: true } });
  expect(second.message).toBeUndefined();
  expect(await respond(second.response_url, { delete_original: true })).toBe(200);
  expect(messagesIn(slack, 'C0OPS', 'U0ANA')).toHaveLength(1);
  await expect(slack.clickButton({ ...click, actionId: 'approve' })).rejects.toMatchObject({
    code: 'unknown_element',
  });
});
