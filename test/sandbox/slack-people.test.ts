import { describe, expect, test } from 'vitest';
import { defaultApp } from '../../sandbox/slack/default-app.ts';
import { readManifest } from '../../sandbox/slack/manifest.ts';
import { boltApp, callApi, messagesIn, startWorkspace } from './slack-workspace.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const section = (text: string) => ({ type: 'section' as const, text: plain(text) });
describe('acts of people', () => {
  test('the bot hears what it is subscribed to, in channels it is in, and can be invited', async () => {
    const events = ['app_mention', 'message.im', 'member_joined_channel'];
    const { slack } = await startWorkspace({ app: { ...defaultApp, events } });
    const app = boltApp(slack);
    const heard: string[] = [];
    app.event('app_mention', async ({ event }) => {
      heard.push(`mention in ${event.channel}`);
    });
    app.event('message', async ({ event }) => {
      heard.push(`message in ${event.channel} (${event.channel_type})`);
    });
    app.event('member_joined_channel', async ({ event }) => {
      heard.push(`joined ${event.channel}, invited by ${event.inviter}`);
    });
    await app.start();
    const post = (channel: string, text: string) => slack.postAs({ as: 'dev', channel, text });

    expect(await post('ops', 'nothing for you')).toMatchObject({ delivered: false });
    expect(await post('ops', 'hey @countersign')).toMatchObject({ acknowledged: true });
    expect(await post('support', 'hey @countersign')).toMatchObject({ delivered: false });
    expect(messagesIn(slack, 'C0SUPPORT', 'U0DEV').at(-1)?.text).toContain('/invite @countersign');
    await slack.command({ as: 'dev', channel: 'support', command: '/invite', text: '@countersign' });
    expect(await post('support', 'hey @countersign')).toMatchObject({ acknowledged: true });
    await slack.openHome({ as: 'dev' });
    expect(await post('D0DEV', 'hello')).toMatchObject({ acknowledged: true });
    await expect
      .poll(() => heard)
      .toEqual([
        'mention in C0OPS',
        'joined C0SUPPORT, invited by U0DEV',
        'mention in C0SUPPORT',
        'message in D0DEV (im)',
      ]);
    await expect(slack.postAs({ as: 'ana', channel: 'D0DEV', text: 'a' })).rejects.toMatchObject({
      code: 'unknown_channel',
    });
    await expect(slack.postAs({ as: 'eva', channel: 'payments-alerts', text: 'a' })).rejects.toMatchObject({
      code: 'not_in_channel',
    });
    await expect(slack.postAs({ as: 'mallory', channel: 'ops', text: 'a' })).rejects.toMatchObject({
      code: 'unknown_person',
    });
  });

  test('a message shortcut carries the message; unknown commands and shortcuts are not delivered', async () => {
    const { slack } = await startWorkspace();
    const app = boltApp(slack);
    const heard: unknown[] = [];
    app.shortcut({ callback_id: 'plan_from_message', type: 'message_action' }, async ({ ack, shortcut }) => {
      heard.push([shortcut.user.id, shortcut.channel.id, shortcut.message.text]);
      await ack();
    });
    await app.start();
    const { ts = '' } = await slack.postAs({ as: 'eva', channel: 'ops', text: 'checkout is <b>slow</b>' });
    const use = { as: 'ben', channel: 'ops', ts, callbackId: 'plan_from_message' };
    expect(await slack.messageShortcut(use)).toMatchObject({ acknowledged: true });
    expect(heard).toEqual([['U0BEN', 'C0OPS', 'checkout is &lt;b&gt;slow&lt;/b&gt;']]);
    await expect(slack.messageShortcut({ ...use, callbackId: 'other' })).rejects.toMatchObject({
      code: 'unknown_shortcut',
    });
    await expect(slack.messageShortcut({ ...use, ts: '1.000001' })).rejects.toMatchObject({
      code: 'unknown_message',
    });
    expect(await slack.command({ as: 'ben', channel: 'ops', command: '/paln', text: 'a' })).toMatchObject({
      delivered: false,
    });
    expect(messagesIn(slack, 'C0OPS', 'U0BEN').at(-1)?.text).toBe('/paln is not a valid command.');
  });

  test('every change is announced and a reset brings the seeded workspace back', async () => {
    const { slack, client } = await startWorkspace();
    let changes = 0;
    const stop = slack.onChange(() => {
      changes += 1;
    });
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'a' });
    expect(changes).toBe(1);
    await client.chat.update({ channel: 'C0OPS', ts, text: 'b' });
    await client.chat.delete({ channel: 'C0OPS', ts });
    expect(changes).toBe(3);
    expect(messagesIn(slack, 'C0OPS')).toEqual([]);
    await slack.setBotMember({ channel: 'support', member: true });
    slack.reset();
    expect(slack.state().channels.find((one) => one.id === 'C0SUPPORT')?.botIsMember).toBe(false);
    stop();
    const before = changes;
    await client.chat.postMessage({ channel: 'C0OPS', text: 'c' });
    expect(changes).toBe(before);
  });
});

describe('the app’s own declaration', () => {
  test('the manifest of the repository decides scopes, events, commands and tabs', async () => {
    const declared = readManifest(new URL('../../slack-manifest.yml', import.meta.url));
    const { slack } = await startWorkspace({ app: declared });
    expect(slack.state().commands.map((one) => one.command)).toContain('/plan');
    const { provided } = await callApi(slack, 'conversations.join', { channel: 'C0SUPPORT' });
    expect(String(provided).split(',')).toEqual(declared.scopes);
    expect(declared.scopes).toContain('chat:write');
    expect(declared.scopes).not.toContain('channels:join');
  });

  test('names and links in a command are live only where the manifest asks to escape them', async () => {
    const escaping = defaultApp.commands.map((one) => ({ ...one, shouldEscape: true }));
    const texts: unknown[] = [];
    for (const commands of [defaultApp.commands, escaping]) {
      const { slack } = await startWorkspace({ app: { ...defaultApp, commands } });
      await slack.command({
        as: 'ben',
        channel: 'ops',
        text: 'tell @ana & @sre in #ops > @here https://a.example',
      });
      texts.push(slack.deliveries.at(-1)?.envelope.payload.text);
    }
    expect(texts).toEqual([
      'tell @ana &amp; @sre in #ops &gt; @here https://a.example',
      'tell <@U0ANA|ana> &amp; <!subteam^S0SRE|@sre> in <#C0OPS|ops> &gt; @here <https://a.example>',
    ]);
  });

  test('without its tabs the app has no home and no direct messages', async () => {
    const { slack } = await startWorkspace({ app: { ...defaultApp, homeTab: false, messagesTab: false } });
    const view = { type: 'home', blocks: [section('a')] };
    expect(await callApi(slack, 'views.publish', { user_id: 'U0ANA', view })).toMatchObject({
      error: 'not_enabled',
    });
    expect(await callApi(slack, 'chat.postMessage', { channel: 'U0ANA', text: 'a' })).toMatchObject({
      error: 'messages_tab_disabled',
    });
    expect(await slack.openHome({ as: 'ana' })).toMatchObject({ delivered: false });
  });
});
