import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { defaultApp } from '../../sandbox/slack/default-app.ts';
import { world } from '../../sandbox/world.ts';
import { callApi, clientOf, messagesIn, startWorkspace } from './slack-workspace.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });
const long = (length: number) => 'x'.repeat(length);

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

describe('messages', () => {
  test('what is posted is checked before anything changes', async () => {
    const { slack } = await startWorkspace({ planBlocks: false });
    const post = async (args: Record<string, unknown>) =>
      callApi(slack, 'chat.postMessage', { channel: 'C0OPS', ...args });
    const codes: [Record<string, unknown>, string][] = [
      [{ channel: 'C0NOWHERE', text: 'a' }, 'channel_not_found'],
      [{ channel: 'C0SUPPORT', text: 'a' }, 'not_in_channel'],
      [{}, 'no_text'],
      [{ text: '   ' }, 'no_text'],
      [{ text: long(40_001) }, 'msg_too_long'],
      [{ text: 'a', thread_ts: '1.000001' }, 'thread_not_found'],
      [{ blocks: '[{' }, 'invalid_blocks_format'],
      [{ blocks: { type: 'divider' } }, 'invalid_blocks_format'],
      [{ blocks: Array.from({ length: 5 }, () => section(long(2_900))) }, 'msg_blocks_too_long'],
      [{ text: 'a', markdown_text: 'b' }, 'markdown_text_conflict'],
      [{ text: 'a', attachments: 'x' }, 'invalid_attachments'],
      [{ text: 'a', metadata: 'x' }, 'invalid_metadata_format'],
      [{ text: 'a', metadata: { event_type: 'plan' } }, 'invalid_metadata_schema'],
      [
        { text: 'a', metadata: { event_type: 'plan', event_payload: {}, extra: 1 } },
        'invalid_metadata_schema',
      ],
    ];
    for (const [args, code] of codes)
      expect(await post(args), code).toMatchObject({ ok: false, error: code });
    expect(await post({ text: 'a', blocks: [{ type: 'plan', title: 'P' }, section('')] })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [
        'unsupported type: plan [json-pointer:/blocks/0/type]',
        'failed to match all allowed schemas [json-pointer:/blocks/1/text]',
        'must be more than 0 characters [json-pointer:/blocks/1/text/text]',
      ],
      response_metadata: {
        messages: [
          '[ERROR] unsupported type: plan [json-pointer:/blocks/0/type]',
          '[ERROR] failed to match all allowed schemas [json-pointer:/blocks/1/text]',
          '[ERROR] must be more than 0 characters [json-pointer:/blocks/1/text/text]',
        ],
      },
    });
    expect(await callApi(slack, 'chat.postMessage', { text: 'a' })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    });
    expect(messagesIn(slack, 'C0OPS')).toEqual([]);
  });

  test('text is stored as Slack stores it, and only real mentions notify', async () => {
    const { slack, client } = await startWorkspace();
    const texts = [
      ['a & b < c > d &amp; e', 'a &amp; b &lt; c &gt; d &amp; e', []],
      ['see https://a.example/x?a=1&b=2.', 'see <https://a.example/x?a=1&amp;b=2>.', []],
      [
        '<@U0ANA> and <!here> and <!subteam^S0SRE>',
        '<@U0ANA> and <!here> and <!subteam^S0SRE>',
        ['U0ANA', 'here', 'S0SRE'],
      ],
      ['&lt;!channel&gt; @channel @ana', '&lt;!channel&gt; @channel @ana', []],
      ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;', []],
      ['<https://a.example|click>', '<https://a.example|click>', []],
    ] as const;
    for (const [text, stored, mentions] of texts) {
      const posted = await client.chat.postMessage({ channel: 'C0OPS', text });
      expect(posted.message?.text).toBe(stored);
      expect(messagesIn(slack, 'C0OPS').at(-1)?.mentions).toEqual(mentions);
    }
    await client.chat.postMessage({ channel: 'C0OPS', text: 'hey @ana and @channel', link_names: true });
    expect(messagesIn(slack, 'C0OPS').at(-1)).toMatchObject({
      text: 'hey <@U0ANA> and <!channel>',
      mentions: ['U0ANA', 'channel'],
    });
    await client.chat.postMessage({
      channel: 'C0OPS',
      text: '<@U0BEN> is in the fallback only',
      blocks: [
        section('<@U0ANA>'),
        { type: 'header', text: { type: 'plain_text', text: '<!here> & co' } },
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '<@U0DEV>' }] }],
        },
      ],
    });
    const message = messagesIn(slack, 'C0OPS').at(-1);
    expect(message?.mentions).toEqual(['U0ANA']);
    expect(message?.blocks[1]).toMatchObject({
      text: { type: 'plain_text', text: '<!here> & co', emoji: true },
    });
    const history = await client.conversations.history({ channel: 'C0OPS', limit: 1 });
    expect(history.messages?.[0]?.blocks?.[1]).toMatchObject({ text: { text: '&lt;!here&gt; &amp; co' } });
    expect(history.messages?.[0]?.blocks?.every((block) => (block.block_id ?? '') !== '')).toBe(true);
  });

  test('an update changes one message in place, by its author, and nothing else', async () => {
    const { slack, client } = await startWorkspace();
    const metadata = { event_type: 'plan', event_payload: { id: 'p1' } };
    const { ts = '' } = await client.chat.postMessage({
      channel: 'C0OPS',
      text: 'Plan',
      blocks: [section('Plan')],
      metadata,
    });
    const reply = await client.chat.postMessage({ channel: 'C0OPS', thread_ts: ts, text: 'Step 1' });
    const nested = await client.chat.postMessage({
      channel: 'C0OPS',
      thread_ts: reply.ts ?? '',
      text: 'Step 2',
    });
    expect(nested.message?.thread_ts).toBe(ts);
    const update = (args: Record<string, unknown>) =>
      callApi(slack, 'chat.update', { channel: 'C0OPS', ts, ...args });

    expect(await update({})).toMatchObject({ error: 'no_text' });
    expect(await update({ ts: '1.000001', text: 'a' })).toMatchObject({ error: 'message_not_found' });
    expect(await update({ text: long(4_001) })).toMatchObject({ error: 'msg_too_long' });
    const person = await slack.postAs({ as: 'ben', channel: 'ops', text: 'Mine' });
    expect(await update({ ts: person.ts, text: 'a' })).toMatchObject({ error: 'cant_update_message' });
    expect(await callApi(slack, 'chat.delete', { channel: 'C0OPS', ts: person.ts })).toMatchObject({
      error: 'cant_delete_message',
    });

    expect(await update({ blocks: [section('Running')] })).toMatchObject({ ok: true, text: 'Plan' });
    expect(await update({ text: 'Done' })).toMatchObject({ ok: true, text: 'Done' });
    const root = messagesIn(slack, 'C0OPS').find((one) => one.ts === ts);
    expect(root).toMatchObject({ text: 'Done', blocks: [], metadata, edited: true, replyCount: 2 });
    await update({ text: 'Done', metadata: {} });
    expect(messagesIn(slack, 'C0OPS').find((one) => one.ts === ts)?.metadata).toBeUndefined();
  });

  test('history and threads come in Slack’s order, by page, with metadata only when asked', async () => {
    const { client } = await startWorkspace();
    const metadata = { event_type: 'step', event_payload: { n: 1 } };
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'one', metadata });
    for (const text of ['two', 'three']) await client.chat.postMessage({ channel: 'C0OPS', text });
    for (const text of ['a', 'b'])
      await client.chat.postMessage({ channel: 'C0OPS', thread_ts: ts, text, metadata });
    await client.chat.postEphemeral({ channel: 'C0OPS', user: 'U0ANA', text: 'psst' });

    const plain = await client.conversations.history({ channel: 'C0OPS' });
    expect(plain.messages?.map((one) => one.text)).toEqual(['three', 'two', 'one']);
    expect(plain.messages?.[2]).toMatchObject({ reply_count: 2, thread_ts: ts });
    expect(plain.messages?.[2]?.metadata).toBeUndefined();
    const full = await client.conversations.history({ channel: 'C0OPS', include_all_metadata: true });
    expect(full.messages?.[2]?.metadata).toEqual(metadata);
    const first = await client.conversations.history({ channel: 'C0OPS', limit: 2 });
    expect(first.has_more).toBe(true);
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.history({ channel: 'C0OPS', limit: 2, cursor });
    expect(second.messages?.map((one) => one.text)).toEqual(['one']);
    const since = await client.conversations.history({ channel: 'C0OPS', oldest: ts, inclusive: false });
    expect(since.messages?.map((one) => one.text)).toEqual(['three', 'two']);
    const thread = await client.conversations.replies({ channel: 'C0OPS', ts, include_all_metadata: true });
    expect(thread.messages?.map((one) => one.text)).toEqual(['one', 'a', 'b']);
    expect(thread.messages?.[1]?.metadata).toEqual(metadata);

    const failing = [
      client.conversations.history({ channel: 'C0SUPPORT' }),
      client.conversations.replies({ channel: 'C0OPS', ts: '1.000001' }),
      client.conversations.history({ channel: 'C0OPS', cursor: 'bogus' }),
    ];
    const codes = await Promise.all(
      failing.map((one) =>
        one.then(
          () => 'ok',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(codes).toEqual([
      'An API error occurred: not_in_channel',
      'An API error occurred: thread_not_found',
      'An API error occurred: invalid_cursor',
    ]);
  });

  test('an ephemeral message is for one person, cannot be changed and needs both in the channel', async () => {
    const { slack, client } = await startWorkspace();
    const { message_ts: ts = '' } = await client.chat.postEphemeral({
      channel: 'C0OPS',
      user: 'U0EVA',
      text: 'You may not approve this.',
    });
    expect(messagesIn(slack, 'C0OPS', 'U0EVA')).toMatchObject([{ ephemeralFor: 'U0EVA', ts }]);
    expect(messagesIn(slack, 'C0OPS', 'U0ANA')).toEqual([]);
    const calls = [
      callApi(slack, 'chat.update', { channel: 'C0OPS', ts, text: 'a' }),
      callApi(slack, 'chat.postEphemeral', { channel: 'C0PAYMENTS', user: 'U0EVA', text: 'a' }),
      callApi(slack, 'chat.postEphemeral', { channel: 'C0SUPPORT', user: 'U0EVA', text: 'a' }),
    ];
    expect((await Promise.all(calls)).map((one) => one.error)).toEqual([
      'message_not_found',
      'user_not_in_channel',
      'not_in_channel',
    ]);
  });
});

describe('people, places and files', () => {
  test('the workspace is described as the world is', async () => {
    const { client } = await startWorkspace();
    expect(await client.auth.test()).toMatchObject({
      user_id: 'U0COUNTER',
      bot_id: 'B0COUNTER',
      team_id: 'T0SANDBOX',
    });
    const users = await client.users.list({});
    expect(users.members?.map((one) => one.name)).toEqual([
      'ana',
      'ben',
      'chiara',
      'dev',
      'eva',
      'countersign',
    ]);
    expect((await client.users.lookupByEmail({ email: 'ben@acme.example' })).user?.id).toBe('U0BEN');
    await expect(client.users.lookupByEmail({ email: 'x@acme.example' })).rejects.toThrow('users_not_found');
    await expect(client.users.info({ user: 'U0NOBODY' })).rejects.toThrow('user_not_found');
    const groups = await client.usergroups.list({ include_users: true });
    expect(groups.usergroups).toMatchObject([{ id: 'S0SRE', handle: 'sre', users: ['U0ANA', 'U0CHIARA'] }]);
    expect((await client.usergroups.users.list({ usergroup: 'S0SRE' })).users).toEqual(['U0ANA', 'U0CHIARA']);
    await expect(client.usergroups.users.list({ usergroup: 'S0X' })).rejects.toThrow('no_such_subteam');

    const names: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.conversations.list(
        cursor === undefined ? { limit: 2 } : { limit: 2, cursor },
      );
      names.push(...(page.channels ?? []).map((one) => one.name));
      cursor = page.response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
    expect(names).toEqual(['general', 'ops', 'payments-alerts', 'incidents', 'support']);
    const mine = await client.users.conversations({});
    expect(mine.channels?.map((one) => one.name)).not.toContain('support');
    const info = await client.conversations.info({ channel: 'C0SUPPORT' });
    expect(info.channel).toMatchObject({ name: 'support', is_member: false });
    const opened = await client.conversations.open({ users: 'U0ANA' });
    expect(opened.channel?.id).toBe('D0ANA');
    expect((await client.chat.postMessage({ channel: 'U0ANA', text: 'Hello' })).channel).toBe('D0ANA');
    await expect(client.conversations.join({ channel: 'C0SUPPORT' })).rejects.toThrow('missing_scope');
  });

  test('a file is announced, uploaded and completed into the thread', async () => {
    const { slack, client } = await startWorkspace();
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Plan' });
    await client.filesUploadV2({
      channel_id: 'C0OPS',
      thread_ts: ts,
      filename: 'plan.json',
      title: 'The whole plan',
      content: '{"steps":[]}',
      initial_comment: 'In full',
    });
    const [, shared] = messagesIn(slack, 'C0OPS');
    expect(shared).toMatchObject({ text: 'In full', threadTs: ts, isBot: true });
    expect(shared?.files).toMatchObject([{ name: 'plan.json', title: 'The whole plan', size: 12 }]);
    expect(await callApi(slack, 'files.completeUploadExternal', { files: [{ id: 'F0X' }] })).toMatchObject({
      error: 'file_not_found',
    });
    const ticket = await callApi(slack, 'files.getUploadURLExternal', { filename: 'a.txt', length: 1 });
    const files = [{ id: ticket.file_id }];
    expect(
      await callApi(slack, 'files.completeUploadExternal', { files, channel_id: 'C0OPS' }),
    ).toMatchObject({
      error: 'file_not_found',
    });
    expect(await callApi(slack, 'files.getUploadURLExternal', { filename: 'a.txt' })).toMatchObject({
      error: 'invalid_arguments',
    });
  });

  test('a reaction is given once and a permalink names the thread', async () => {
    const { slack, client } = await startWorkspace();
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Plan' });
    const reply = await client.chat.postMessage({ channel: 'C0OPS', thread_ts: ts, text: 'Step' });
    await client.reactions.add({ channel: 'C0OPS', timestamp: ts, name: 'eyes' });
    await expect(client.reactions.add({ channel: 'C0OPS', timestamp: ts, name: 'eyes' })).rejects.toThrow(
      'already_reacted',
    );
    await expect(
      client.reactions.add({ channel: 'C0OPS', timestamp: ts, name: 'not a name' }),
    ).rejects.toThrow('invalid_name');
    expect(messagesIn(slack, 'C0OPS')[0]?.reactions).toEqual([{ name: 'eyes', users: ['U0COUNTER'] }]);
    const link = await client.chat.getPermalink({ channel: 'C0OPS', message_ts: reply.ts ?? '' });
    expect(link.permalink).toBe(
      `https://acme-sandbox.slack.com/archives/C0OPS/p${reply.ts?.replace('.', '')}?thread_ts=${ts}&cid=C0OPS`,
    );
  });
});
