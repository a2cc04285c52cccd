import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { fieldsAt } from '../../sandbox/slack/fields.ts';
import { world } from '../../sandbox/world.ts';
import { listen, listenOverHttp, payloadOf, slackbotSays } from './slack-listener.ts';
import { clientOf, startWorkspace } from './slack-workspace.ts';

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
  await expect.poll(() => mentions().length).toBe(4);
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

test('the app hears of its own messages and of each change, as of anybody’s', async () => {
  const { slack, client } = await startWorkspace();
  const { heard } = await listen(slack, () => ({}));
  const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Plan' });
  await client.chat.update({ channel: 'C0OPS', ts, text: 'Done' });
  await client.chat.postEphemeral({ channel: 'C0OPS', user: 'U0ANA', text: 'psst' });
  await client.chat.delete({ channel: 'C0OPS', ts });
  await expect.poll(() => heard.length).toBe(3);
  expect(heard.map((one) => fieldsAt(payloadOf(one), 'event'))).toMatchObject([
    { type: 'message', bot_id: 'B0COUNTER', user: 'U0COUNTER', text: 'Plan', ts, channel_type: 'channel' },
    {
      subtype: 'message_changed',
      message: { text: 'Done' },
      previous_message: { text: 'Plan' },
      hidden: true,
    },
    { subtype: 'message_deleted', deleted_ts: ts, previous_message: { text: 'Done' } },
  ]);
});
