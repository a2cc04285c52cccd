import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { world } from '../../sandbox/world.ts';
import { boltApp, messagesIn, startWorkspace } from './slack-workspace.ts';

const card = [
  { type: 'section', block_id: 'what', text: { type: 'mrkdwn', text: 'Page *ops* if count > 20' } },
  {
    type: 'actions',
    block_id: 'decide',
    elements: [
      { type: 'button', action_id: 'approve', text: { type: 'plain_text', text: 'Approve' }, value: 'r1' },
      { type: 'button', action_id: 'edit', text: { type: 'plain_text', text: 'Edit' }, value: 'r1' },
    ],
  },
];
const modal = {
  type: 'modal' as const,
  callback_id: 'edit_plan',
  private_metadata: 'r1',
  title: { type: 'plain_text' as const, text: 'Edit' },
  submit: { type: 'plain_text' as const, text: 'Save' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'threshold',
      label: { type: 'plain_text' as const, text: 'Threshold' },
      element: { type: 'plain_text_input' as const, action_id: 'value', initial_value: '20' },
    },
  ],
};

test('over Socket Mode a command becomes a card, a click an update in place and a modal a new revision', async () => {
  const { slack } = await startWorkspace();
  const app = boltApp(slack);
  const submissions: unknown[] = [];
  app.command('/plan', async ({ ack, command, client }) => {
    await ack({ text: `Planning: ${command.text}` });
    await client.chat.postMessage({
      channel: command.channel_id,
      text: 'A plan',
      blocks: card,
      metadata: { event_type: 'plan', event_payload: { revision: 'r1' } },
    });
  });
  app.action('approve', async ({ ack, body, client, respond }) => {
    await ack();
    if (body.type !== 'block_actions' || body.message === undefined || body.channel === undefined) return;
    await client.chat.update({ channel: body.channel.id, ts: body.message.ts, text: 'Approved', blocks: [] });
    await client.chat.postMessage({ channel: body.channel.id, thread_ts: body.message.ts, text: 'Running' });
    await respond({ text: 'Thank you', replace_original: false });
  });
  app.action('edit', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    await client.views.open({ trigger_id: body.trigger_id, view: modal });
  });
  app.view('edit_plan', async ({ ack, view }) => {
    submissions.push(view.state.values);
    const entered = view.state.values.threshold?.value?.value;
    if (entered === 'many')
      await ack({ response_action: 'errors', errors: { threshold: 'A number, please' } });
    else await ack();
  });
  await app.start();

  const planned = await slack.command({ as: 'U0BEN', channel: 'C0OPS', text: 'count P1 > 20 & page' });
  expect(planned).toMatchObject({ delivered: true, acknowledged: true, late: false });
  await expect.poll(() => messagesIn(slack, 'C0OPS', 'U0BEN').length).toBe(2);
  const [reply, posted] = messagesIn(slack, 'C0OPS', 'U0BEN');
  expect(reply).toMatchObject({ text: 'Planning: count P1 &gt; 20 &amp; page', ephemeralFor: 'U0BEN' });
  expect(messagesIn(slack, 'C0OPS', 'U0ANA')).toHaveLength(1);
  expect(posted).toMatchObject({ isBot: true, metadata: { event_type: 'plan' }, edited: false });
  const ts = posted?.ts ?? '';

  await slack.clickButton({ as: 'U0ANA', channel: 'C0OPS', ts, actionId: 'edit' });
  await expect.poll(() => slack.state('U0ANA').views.U0ANA?.length).toBe(1);
  const viewId = slack.state('U0ANA').views.U0ANA?.[0]?.id ?? '';
  expect(slack.state('U0BEN').views).toEqual({});
  await slack.submitView({ as: 'U0ANA', viewId, values: { threshold: { value: 'many' } } });
  expect(slack.state('U0ANA').views.U0ANA?.[0]?.errors).toEqual({ threshold: 'A number, please' });
  const saved = await slack.submitView({ as: 'U0ANA', viewId, values: { threshold: { value: '30' } } });
  expect(saved.acknowledged).toBe(true);
  expect(slack.state('U0ANA').views).toEqual({});
  expect(submissions.at(-1)).toEqual({ threshold: { value: { type: 'plain_text_input', value: '30' } } });

  const clicked = await slack.clickButton({ as: 'U0ANA', channel: 'C0OPS', ts, actionId: 'approve' });
  expect(clicked.acknowledged).toBe(true);
  await expect.poll(() => messagesIn(slack, 'C0OPS', 'U0ANA').map((one) => one.text)).toContain('Thank you');
  const after = messagesIn(slack, 'C0OPS').find((one) => one.ts === ts);
  expect(after).toMatchObject({ text: 'Approved', blocks: [], edited: true, replyCount: 1 });
  await expect(slack.clickButton({ as: 'U0ANA', channel: 'C0OPS', ts, actionId: 'approve' })).rejects.toThrow(
    'There is no approve to click there.',
  );
});

test('over HTTP the same requests arrive signed, and forged, stale or changed ones are turned away', async () => {
  const { slack } = await startWorkspace({ mode: 'http', times: { ackMs: 1_500, lateMs: 0 } });
  const receiver = new HTTPReceiver({
    signingSecret: world.slack.signingSecret,
    port: 0,
    logLevel: LogLevel.ERROR,
  });
  const app = new App({
    token: world.slack.botToken,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  const heard: string[] = [];
  app.command('/plan', async ({ ack, command }) => {
    heard.push(command.text);
    await ack({ response_type: 'in_channel', text: 'Planning' });
  });
  app.event('app_mention', async ({ event, say }) => {
    heard.push(event.text);
    await say({ text: 'Yes?', thread_ts: event.ts });
  });
  const server = await app.start(0);
  onTestFinished(async () => {
    await app.stop();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  slack.requestUrl = `http://127.0.0.1:${address.port}/slack/events`;

  expect(await slack.verifyRequestUrl()).toBe(true);
  const good = await slack.command({ as: 'ben', channel: 'ops', text: 'one' });
  expect(good).toMatchObject({ acknowledged: true, status: 200 });
  expect(messagesIn(slack, 'C0OPS')).toMatchObject([{ text: 'Planning' }]);
  const mention = await slack.postAs({ as: 'ben', channel: 'ops', text: '@countersign help' });
  expect(mention).toMatchObject({ acknowledged: true, status: 200 });
  await expect
    .poll(() => messagesIn(slack, 'C0OPS').at(-1))
    .toMatchObject({ text: 'Yes?', threadTs: mention.ts });
  expect(heard).toEqual(['one', '<@U0COUNTER> help']);

  const record = slack.deliveries.find((one) => one.envelope.type === 'slash_commands');
  if (record === undefined) throw new TypeError('nothing was delivered');
  const { envelope } = record;
  for (const tamper of [
    { secret: 'another secret' },
    { signature: 'v0=00' },
    { timestampSkewSeconds: -310 },
    { changeBody: (raw: string) => raw.replace('text=one', 'text=two') },
  ]) {
    const refused = await slack.deliver(envelope, { tamper });
    expect(refused).toMatchObject({ acknowledged: false, error: 'http_service_error', status: 401 });
  }
  expect(heard).toHaveLength(2);
  const replayed = await slack.replay(record);
  expect(replayed).toMatchObject({ acknowledged: true });
  expect(heard.at(-1)).toBe('one');
});
