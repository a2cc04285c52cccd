import { describe, expect, it } from 'vitest';
import { createSlackGateway } from '../../../src/vendors/slack/gateway.ts';
import type { Identity } from '../../../src/vendors/slack/identity.ts';
import * as read from '../../../src/vendors/slack/read-events.ts';
import { mockHost } from '../../support/http-mock.ts';
import { keepingLog } from '../../support/slack-workspace.ts';

const bot: Identity = { teamId: 'T0OWN', botUserId: 'U0BOT', botId: 'B0BOT' };

function envelope(event: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) {
  const installation = { enterprise_id: null, team_id: 'T0OWN', user_id: 'U0BOT', is_bot: true };
  return {
    type: 'event_callback',
    team_id: 'T0OWN',
    event_id: 'Ev1',
    authorizations: [{ ...installation, is_enterprise_install: false }],
    event: { type: 'message', channel: 'C0OPS', ts: '1700000000.000100', ...event },
    ...more,
  };
}

const said = { user: 'U0BEN', text: 'use P2', thread_ts: '1699999999.000100', channel_type: 'channel' };

describe("variants of Slack's payloads", () => {
  it('belong to us if our installation is named, wherever they happened', () => {
    // Said in a channel that another company hosts: the event carries their workspace, the authorization ours.
    expect(read.reply(envelope(said, { team_id: 'T0THEIRS' }), bot)).toMatchObject({ text: 'use P2' });
    expect(read.mention(envelope(said, { team_id: 'E0ENTERPRISE' }), bot)).not.toBeNull();
    const theirs = [{ enterprise_id: null, team_id: 'T0THEIRS', user_id: 'U0X', is_bot: true }];
    expect(read.reply(envelope(said, { authorizations: theirs }), bot)).toBeNull();
    expect(read.reply(envelope(said, { authorizations: undefined }), bot)).not.toBeNull();
    const away = { authorizations: undefined, team_id: 'T0THEIRS' };
    expect(read.mention(envelope(said, away), bot)).toBeNull();
    expect(read.home(envelope({ user: 'U0BEN', tab: 'home' }, away), bot)).toBeNull();
    expect(read.home(envelope({ user: 'U0BEN', tab: 'messages' }), bot)).toMatchObject({ messages: 'C0OPS' });
    expect(read.home(envelope({ user: 'U0BEN', tab: 'about' }), bot)).toBeNull();
    const stopped = { user: 'U0BEN', thread_ts: '1.1' };
    expect(read.stop(envelope(stopped), bot)).toMatchObject({ channel: 'C0OPS', threadTs: '1.1' });
    expect(read.stop(envelope(stopped, away), bot)).toBeNull();
  });

  it("are a request in a direct message, with or without the bot's name, even in a thread", () => {
    const alone = { user: 'U0BEN', channel: 'D0BEN', channel_type: 'im' };
    for (const text of [
      'count P1 in OPS',
      '<@U0BOT> count P1 in OPS',
      '<@U0BOT|countersign> count P1 in OPS',
    ]) {
      for (const thread of [{}, { thread_ts: '1699999999.000100' }]) {
        const body = envelope({ ...alone, ...thread, text });
        expect(read.direct(body, bot)).toMatchObject({ text: 'count P1 in OPS', channel: 'D0BEN' });
        expect(read.reply(body, bot)).toBeNull();
      }
    }
    expect(read.direct(envelope({ ...said, text: 'hello' }), bot)).toBeNull();
    expect(
      read.direct(envelope({ ...alone, user: 'U0BOT', bot_id: 'B0BOT', text: 'a card' }), bot),
    ).toBeNull();
  });

  it('are ignored if sent by a program, changed, deleted or without a person', () => {
    const quiet = [
      { ...said, bot_id: 'B0OTHER' },
      { ...said, user: 'U0BOT' },
      { ...said, user: null },
      { ...said, subtype: 'bot_message' },
      { ...said, subtype: 'message_changed', user: undefined, message: { ...said, text: 'changed' } },
      { ...said, subtype: 'message_deleted', user: undefined, deleted_ts: '1' },
      { ...said, subtype: 'channel_join' },
      { ...said, subtype: 'assistant_app_thread' },
      { user: 'U0BEN', text: 'not in a thread' },
    ];
    for (const event of quiet) expect(read.reply(envelope(event), bot)).toBeNull();
    for (const subtype of [undefined, null, 'thread_broadcast', 'file_share']) {
      expect(read.reply(envelope({ ...said, subtype }), bot)).toMatchObject({ text: 'use P2' });
    }
    expect(read.reply(envelope({ ...said, text: null, bot_id: null }), bot)).toMatchObject({ text: '' });
    const homes = [{ team: 'E0GRID' }, { team: 'T0HOST', user_team: 'E0GRID' }, {}];
    const authors = homes.map((each) => read.reply(envelope({ ...said, ...each }), bot)?.actor.home);
    expect(homes.map((each) => read.mention(envelope({ ...said, ...each }), bot)?.actor.home)).toEqual(
      authors,
    );
    expect(authors).toEqual(['E0GRID', 'E0GRID', null]);
  });

  it('are read even if they lack fields of other surfaces', () => {
    const base = { user: { id: 'U0BEN', team_id: 'T0OTHER' }, team: null, trigger_id: '1.2.x' };
    const button = { type: 'button', action_id: 'plan.approve', value: 'v', action_ts: '1' };
    const container = { type: 'message', message_ts: '5.5', channel_id: 'C0OPS', is_ephemeral: true };
    expect(read.action({ ...base, container, actions: [button] }, bot)).toMatchObject({
      actor: { userId: 'U0BEN', teamId: 'T0OWN', home: 'T0OTHER' },
      message: { channel: 'C0OPS', ts: '5.5', threadTs: null },
      responseUrl: null,
    });
    const link = { type: 'button', action_id: 'open', action_ts: '1' };
    expect(read.action({ ...base, response_url: null, container: null, actions: [link] }, bot)).toMatchObject(
      {
        value: '',
        message: null,
      },
    );
    const fileOnly = { ts: '5.5', text: null, thread_ts: null };
    const used = { ...base, channel: { id: 'C0OPS' }, response_url: 'https://hooks.slack.com/app/T/1/x' };
    expect(read.shortcut({ ...used, message: fileOnly }, bot)).toMatchObject({
      message: { ts: '5.5', threadTs: null, text: '' },
    });
    const view = { id: 'V1', type: 'modal', callback_id: 'plan.edit.submit', private_metadata: '' };
    expect(read.submit({ ...base, view: { ...view, state: { values: {} } } }, bot)?.view.hash).toBe('');
    expect(read.submit({ ...base, view: { ...view, type: 'home' } }, bot)).toBeNull();
  });
});

describe('the words of a message that a shortcut is used on', () => {
  const words = (message: object) =>
    read.shortcut(
      {
        team: null,
        user: { id: 'U0BEN' },
        channel: { id: 'C0OPS' },
        response_url: 'https://hooks.slack.com/app/T/1/x',
        trigger_id: '1.1',
        message: { ts: '5.5', ...message },
      },
      bot,
    ).message.text;
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
  const sentence = (...elements: object[]) => ({ type: 'rich_text_section', elements });

  it('are those of its attachments where monitoring wrote it: title, text and fields', () => {
    const alertmanager = {
      fallback: '[FIRING:1] KubePodCrashLooping | http://alertmanager',
      title: '[FIRING:1] KubePodCrashLooping checkout',
      title_link: 'http://alertmanager.local/#/alerts',
      text: '*Description:* pod checkout-7 restarts',
      fields: [{ title: 'Severity', value: 'critical', short: true }, { value: 'no title' }],
    };
    expect(words({ text: '', attachments: [alertmanager] })).toBe(
      '[FIRING:1] KubePodCrashLooping checkout\n*Description:* pod checkout-7 restarts\nSeverity: critical\nno title',
    );
    expect(words({ text: null, attachments: [{ id: 1, fallback: 'only a fallback' }] })).toBe(
      'only a fallback',
    );
  });

  it('are those of its blocks: header, section with fields, rich text with lists and links', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Checkout is slow' } },
      { type: 'divider' },
      { type: 'section', text: mrkdwn('*p95* is 4 s'), fields: [mrkdwn('*Team*'), mrkdwn('shop')] },
      {
        type: 'rich_text',
        elements: [
          sentence(
            { type: 'text', text: 'a < b, see ' },
            { type: 'link', url: 'https://x.test/1', text: 'this' },
          ),
          {
            type: 'rich_text_list',
            elements: [sentence({ type: 'user', user_id: 'U1' }), sentence({ type: 'emoji', name: 'fire' })],
          },
        ],
      },
      { type: 'context', elements: [{ type: 'image', alt_text: 'x' }, mrkdwn('from Grafana')] },
    ];
    const expected =
      'Checkout is slow\n*p95* is 4 s\n*Team*\nshop\na &lt; b, see https://x.test/1\n<@U1>\n:fire:\nfrom Grafana';
    expect(words({ blocks })).toBe(expected);
    expect(words({ text: 'Checkout is slow', blocks })).toBe(expected);
  });

  it('are what a person wrote, without the previews of links in it', () => {
    const typed = [{ type: 'rich_text', elements: [sentence({ type: 'text', text: 'look at this' })] }];
    const preview = { from_url: 'https://x.test', title: 'A page', text: 'about something else' };
    expect(words({ text: 'look at this', blocks: typed, attachments: [preview] })).toBe('look at this');
  });

  it('are those of the message that was forwarded', () => {
    const forwarded = {
      ...{
        is_share: true,
        is_msg_unfurl: true,
        from_url: 'https://acme.slack.com/archives/C1/p1',
        fallback: '[June 1st] ben: db is down',
      },
      message_blocks: [
        {
          team: 'T1',
          channel: 'C1',
          ts: '1.1',
          message: {
            blocks: [{ type: 'rich_text', elements: [sentence({ type: 'text', text: 'db is down' })] }],
          },
        },
      ],
    };
    expect(words({ text: '', attachments: [forwarded] })).toBe('db is down');
    expect(
      words({ text: 'fyi', attachments: [{ ...forwarded, message_blocks: null, text: 'db is down' }] }),
    ).toBe('fyi\ndb is down');
  });

  it('are none, and no error, where a message is odd', () => {
    const deep = Array.from({ length: 5_000 }).reduce<object>(
      (inner) => ({ type: 'rich_text_section', elements: [inner] }),
      {},
    );
    for (const odd of [
      null,
      7,
      'x',
      [null, 7, { type: 'section', text: 9 }, { type: 'rich_text', elements: [deep] }],
    ]) {
      expect(words({ blocks: odd, attachments: odd })).toBe('');
    }
  });
});

describe('who is of another company', () => {
  it('is told by the workspaces of a person, since Slack calls nobody in a shared channel a stranger', async () => {
    const slack = mockHost('https://slack.com');
    const identity = { ok: true, team_id: 'T0OWN', user_id: 'U0BOT', bot_id: 'B0BOT' };
    slack.expect({ method: 'POST', path: '/api/auth.test', status: 200, answer: identity });
    const gateway = createSlackGateway({
      token: 'xoxb-x',
      apiUrl: 'https://slack.com/api/',
      fetch,
      log: keepingLog(),
      now: () => new Date('2026-03-02T12:00:00Z'),
    });
    const external = async (user: Readonly<Record<string, unknown>>): Promise<boolean | undefined> => {
      slack.expect({ method: 'POST', path: '/api/users.info', status: 200, answer: { ok: true, user } });
      return (await gateway.userInfo(String(user.id)))?.external;
    };
    const homes = async (userId: string) => (await gateway.userInfo(userId))?.homes;
    expect(await external({ id: 'U0BEN', team_id: 'T0OWN' })).toBe(false);
    expect(await external({ id: 'U0PARTNER', team_id: 'T0THEIRS' })).toBe(true);
    expect(await external({ id: 'U0STRANGER', team_id: 'T0THEIRS', is_stranger: true })).toBe(true);
    const grid = { id: 'W0ANA', enterprise_id: 'E0GRID', teams: ['T0HOME', 'T0OWN'] };
    expect(await external({ id: 'W0ANA', team_id: 'T0HOME', enterprise_user: grid })).toBe(false);
    expect(await homes('W0ANA')).toEqual(['T0HOME', 'T0HOME', 'T0OWN', 'E0GRID']);
    const elsewhere = { ...grid, teams: ['T0HOME'] };
    expect(await external({ id: 'W0BO', team_id: 'T0HOME', enterprise_user: elsewhere })).toBe(true);
    expect(await external({ id: 'U0ODD', profile: { real_name: null } })).toBe(true);
    slack.done();
  });
});
