import { describe, expect, test } from 'vitest';
import { callApi, messagesIn, startWorkspace } from './slack-workspace.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });
const long = (length: number) => 'x'.repeat(length);

describe('messages', () => {
  test('a post is checked before anything changes', async () => {
    const { slack } = await startWorkspace({ unknownBlocks: ['plan', 'task_card'] });
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
