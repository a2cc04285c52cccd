import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { defaultApp } from '../../sandbox/slack/default-app.ts';
import { world } from '../../sandbox/world.ts';
import { callApi, clientOf, messagesIn, startWorkspace } from './slack-workspace.ts';

describe('who may call', () => {
  test('a token is needed, must be known, of the right kind, and carry the scope', async () => {
    const { slack, journal } = await startWorkspace({
      app: { ...defaultApp, scopes: ['users:read', 'commands'] },
    });
    const refused = async (method: string, token: string | null) =>
      (await callApi(slack, method, {}, token)).error;
    expect(await refused('auth.test', null)).toBe('not_authed');
    expect(await refused('auth.test', 'xoxb-stolen')).toBe('invalid_auth');
    expect(await refused('auth.test', world.slack.appToken)).toBe('not_allowed_token_type');
    expect(await refused('apps.connections.open', world.slack.botToken)).toBe('not_allowed_token_type');
    expect(await callApi(slack, 'chat.postMessage', { channel: 'C0OPS', text: 'Hello' })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'users:read,commands',
    });
    expect(await callApi(slack, 'chat.postMassage', {})).toMatchObject({ error: 'unknown_method' });
    expect(messagesIn(slack, 'C0OPS')).toEqual([]);
    expect(journal.list({ vendor: 'slack' }).map((one) => one.authOk)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);

    const info = await clientOf(slack, world.slack.botToken).users.info({ user: 'U0ANA' });
    expect(info.user).toMatchObject({ real_name: 'Ana Ruiz', tz: 'Europe/Madrid' });
    expect(info.user?.profile?.email).toBeUndefined();
    expect(info.response_metadata?.scopes).toEqual(['users:read', 'commands']);
  });

  test('faults reach the client as Slack’s rate limits and lost answers do', async () => {
    const { slack, faults, journal } = await startWorkspace();
    const client = clientOf(slack, world.slack.botToken);
    const match = { path: '/api/chat.postMessage' };
    faults.add({ vendor: 'slack', match, kind: 'status', status: 429, retryAfterSeconds: 7, times: 1 });
    const impatient = new WebClient(world.slack.botToken, {
      slackApiUrl: slack.apiUrl,
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
    });
    const limited = impatient.chat.postMessage({ channel: 'C0OPS', text: 'Never' });
    await expect(limited).rejects.toMatchObject({ retryAfter: 7 });

    faults.add({ vendor: 'slack', match, kind: 'lost-answer', times: 1 });
    await expect(client.chat.postMessage({ channel: 'C0OPS', text: 'Once' })).rejects.toThrow();
    expect(messagesIn(slack, 'C0OPS').map((one) => one.text)).toEqual(['Once']);
    expect(journal.list({ vendor: 'slack' }).map((one) => one.status)).toEqual([429, null]);
  });
});

describe('people and places', () => {
  test('the workspace is described as the world is', async () => {
    const { client } = await startWorkspace();
    expect(await client.auth.test()).toMatchObject({
      user_id: 'U0COUNTER',
      bot_id: 'B0COUNTER',
      team_id: 'T0SANDBOX',
    });
    expect((await client.users.lookupByEmail({ email: 'ben@acme.example' })).user?.id).toBe('U0BEN');
    await expect(client.users.lookupByEmail({ email: 'x@acme.example' })).rejects.toThrow('users_not_found');
    await expect(client.users.info({ user: 'U0NOBODY' })).rejects.toThrow('user_not_found');
    expect((await client.usergroups.users.list({ usergroup: 'S0SRE' })).users).toEqual(['U0ANA', 'U0CHIARA']);
    await expect(client.usergroups.users.list({ usergroup: 'S0X' })).rejects.toThrow('no_such_subteam');

    const names: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.users.list(cursor === undefined ? { limit: 4 } : { limit: 4, cursor });
      names.push(...(page.members ?? []).map((one) => one.name));
      cursor = page.response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
    expect(names).toEqual(['ana', 'ben', 'chiara', 'dev', 'eva', 'countersign']);
    const info = await client.conversations.info({ channel: 'C0SUPPORT' });
    expect(info.channel).toMatchObject({ name: 'support', is_member: false });
    const opened = await client.conversations.open({ users: 'U0ANA' });
    expect(opened.channel?.id).toBe('D0ANA');
    expect((await client.chat.postMessage({ channel: 'U0ANA', text: 'Hello' })).channel).toBe('D0ANA');
    await expect(client.conversations.join({ channel: 'C0SUPPORT' })).rejects.toThrow('missing_scope');
  });

  test('a permalink names the thread', async () => {
    const { client } = await startWorkspace();
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Plan' });
    const reply = await client.chat.postMessage({ channel: 'C0OPS', thread_ts: ts, text: 'Step' });
    const link = await client.chat.getPermalink({ channel: 'C0OPS', message_ts: reply.ts ?? '' });
    expect(link.permalink).toBe(
      `https://acme-sandbox.slack.com/archives/C0OPS/p${reply.ts?.replace('.', '')}?thread_ts=${ts}&cid=C0OPS`,
    );
  });
});
