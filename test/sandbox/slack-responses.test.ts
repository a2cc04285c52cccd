import { expect, test } from 'vitest';
import type { Fields } from '../../sandbox/slack/fields.ts';
import { listen, listenOverHttp, payloadOf } from './slack-listener.ts';
import { messagesIn, startWorkspace } from './slack-workspace.ts';

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
  const clicks = () => heard.filter((one) => one.type === 'interactive');
  const payload = payloadOf(clicks()[0]);
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
  const second = payloadOf(clicks()[1]);
  expect(second).toMatchObject({ container: { is_ephemeral: true } });
  expect(second.message).toBeUndefined();
  expect(await respond(second.response_url, { delete_original: true })).toBe(200);
  expect(messagesIn(slack, 'C0OPS', 'U0ANA')).toHaveLength(1);
  await expect(slack.clickButton({ ...click, actionId: 'approve' })).rejects.toMatchObject({
    code: 'unknown_element',
  });
});
