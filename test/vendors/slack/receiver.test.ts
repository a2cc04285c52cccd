import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { world } from '../../../sandbox/world.ts';
import { plain } from '../../../src/blocks/layout.ts';
import { line, rich } from '../../../src/blocks/rich.ts';
import type {
  ActionEvent,
  CommandEvent,
  HomeEvent,
  MentionEvent,
  ReplyEvent,
  ShortcutEvent,
  SlackHandlers,
  SubmitAnswer,
  SubmitEvent,
} from '../../../src/vendors/slack/events.ts';
import { createSlackGateway } from '../../../src/vendors/slack/gateway.ts';
import { createSlackEdge, type EdgeMode, type SlackEdge } from '../../../src/vendors/slack/receiver.ts';
import { keepingLog, startWorkspace, type TestWorkspace, until } from '../../support/slack-workspace.ts';

interface Taken {
  readonly commands: CommandEvent[];
  readonly mentions: MentionEvent[];
  readonly replies: ReplyEvent[];
  readonly shortcuts: ShortcutEvent[];
  readonly homes: HomeEvent[];
  readonly actions: ActionEvent[];
  readonly submits: SubmitEvent[];
}

const nothing = async (): Promise<void> => undefined;
const closed: SubmitAnswer = { answer: { kind: 'close' }, work: nothing };

function recorder(): { taken: Taken; handlers: SlackHandlers } {
  const taken: Taken = {
    commands: [],
    mentions: [],
    replies: [],
    shortcuts: [],
    homes: [],
    actions: [],
    submits: [],
  };
  const notice = (title: string) => ({ type: 'modal' as const, title: plain(title, 24), blocks: [] });
  const known = new Set<string>();
  const handlers: SlackHandlers = {
    async accept({ key }) {
      if (known.has(key)) return false;
      known.add(key);
      return true;
    },
    async work(event) {
      if (event.type === 'command') taken.commands.push(event);
      if (event.type === 'mention') taken.mentions.push(event);
      if (event.type === 'reply') taken.replies.push(event);
      if (event.type === 'shortcut') taken.shortcuts.push(event);
      if (event.type === 'home') taken.homes.push(event);
      if (event.type === 'action') taken.actions.push(event);
    },
    async submit(event) {
      taken.submits.push(event);
      return closed;
    },
    acceptAppMessage: async () => false,
    workAppMessage: async () => undefined,
    missed: async () => undefined,
    stillWorking: () => ({ ...notice('Working'), blocks: [rich([line('Still working.')])] }),
  };
  return { taken, handlers };
}

const modal = {
  type: 'modal' as const,
  title: plain('Say why', 24),
  submit: plain('Send', 24),
  callback_id: 'plan.reject.submit',
  private_metadata: '{"r":"1"}',
  blocks: [
    {
      type: 'input' as const,
      block_id: 'why',
      label: plain('Why'),
      element: { type: 'plain_text_input' as const, action_id: 'v' },
    },
  ],
};

const open: { edge: SlackEdge | null; workspace: TestWorkspace | null } = { edge: null, workspace: null };

afterEach(async () => {
  await open.edge?.stop();
  await open.workspace?.close();
  open.edge = null;
  open.workspace = null;
});

async function begin(
  kind: 'socket' | 'http',
  handlers: SlackHandlers,
  now: () => Date = () => new Date(),
  ackMs = 3_000,
): Promise<TestWorkspace> {
  const workspace = await startWorkspace({ mode: kind, times: { ackMs, eventRetryMs: [5, 5, 5] } });
  const { appToken, signingSecret } = world.slack;
  const mode: EdgeMode =
    kind === 'socket' ? { kind, appToken } : { kind, signingSecret, port: 0, host: '127.0.0.1' };
  const { gateway, log, slack } = workspace;
  const edge = createSlackEdge({
    mode,
    apiUrl: slack.apiUrl,
    installations: { of: async () => ({ handlers, gateway }), removed: async () => undefined },
    log,
    fetch,
    now,
  });
  open.edge = edge;
  open.workspace = workspace;
  const port = await edge.start();
  if (port !== null) slack.requestUrl = `http://127.0.0.1:${port}/slack/events`;
  return workspace;
}

describe.each(['socket', 'http'] as const)('the Slack edge over %s', (kind) => {
  it('delivers commands, mentions, replies, shortcuts and the Home, each acknowledged and once', async () => {
    const { taken, handlers } = recorder();
    const { slack } = await begin(kind, handlers);

    const sent = await slack.command({ as: 'ben', channel: 'ops', text: 'check <OPS> & page' });
    expect(sent).toMatchObject({ acknowledged: true, late: false });
    await until(() => taken.commands.length === 1);
    expect(taken.commands[0]).toMatchObject({
      actor: { userId: 'U0BEN', teamId: 'T0SANDBOX', home: 'T0SANDBOX' },
      channel: 'C0OPS',
      text: 'check &lt;OPS&gt; &amp; page',
    });

    const first = await slack.postAs({ as: 'ana', channel: 'ops', text: 'The queue is long' });
    await slack.postAs({ as: 'ana', channel: 'ops', text: 'a reply', threadTs: first.ts ?? '' });
    await until(() => taken.replies.length === 1);
    expect(taken.replies[0]).toMatchObject({ text: 'a reply', threadTs: first.ts, channel: 'C0OPS' });

    await slack.postAs({
      as: 'ana',
      channel: 'ops',
      text: '@countersign count bugs',
      threadTs: first.ts ?? '',
    });
    await until(() => taken.mentions.length === 1);
    expect(taken.mentions[0]).toMatchObject({ text: 'count bugs', threadTs: first.ts });
    expect(taken.replies).toHaveLength(1);

    const used = { as: 'dev', channel: 'ops', ts: first.ts ?? '', callbackId: 'plan_from_message' };
    await slack.messageShortcut(used);
    await until(() => taken.shortcuts.length === 1);
    expect(taken.shortcuts[0]).toMatchObject({
      message: { text: 'The queue is long', ts: first.ts },
      actor: { userId: 'U0DEV' },
    });

    await slack.openHome({ as: 'eva' });
    await until(() => taken.homes.length === 1);
    expect(taken.homes[0]?.actor.userId).toBe('U0EVA');
  });

  it('delivers clicks and forms, shows field errors, and answers privately', async () => {
    const { taken, handlers } = recorder();
    const answers: SubmitAnswer[] = [
      { answer: { kind: 'errors', errors: { why: 'Say a little more.' } }, work: nothing },
      { answer: { kind: 'close' }, work: async () => void worked.push('done') },
    ];
    const worked: string[] = [];
    const { slack, gateway, botMessages } = await begin(kind, {
      ...handlers,
      async work(event) {
        await handlers.work(event);
        if (event.type === 'action') await gateway.openView(event.triggerId, modal);
      },
      submit: async (event) => {
        taken.submits.push(event);
        return answers[taken.submits.length - 1] ?? closed;
      },
    });
    const message = {
      text: 'a card',
      blocks: [
        {
          type: 'actions' as const,
          elements: [
            { type: 'button' as const, action_id: 'plan.reject', text: plain('Reject'), value: '{"r":"1"}' },
          ],
        },
      ],
    };
    const card = await gateway.post({ channel: 'C0OPS', message, key: 'card' });
    const click = await slack.clickButton({ as: 'ana', ...card, actionId: 'plan.reject' });
    expect(click.acknowledged).toBe(true);
    const view = await until(() => slack.state('U0ANA').views.U0ANA?.[0]);
    expect(taken.actions[0]).toMatchObject({
      actionId: 'plan.reject',
      value: '{"r":"1"}',
      message: { channel: 'C0OPS', ts: card.ts },
      view: null,
    });

    const submit = (why: string) =>
      slack.submitView({ as: 'ana', viewId: view.id, values: { why: { v: why } } });
    expect((await submit('no')).fieldErrors).toEqual({ why: 'Say a little more.' });
    expect(worked).toEqual([]);
    await submit('too many pages');
    await until(() => worked.length === 1);
    expect(taken.submits[1]?.view.values.why).toBe('too many pages');
    expect(taken.submits[1]?.view).toMatchObject({
      callbackId: 'plan.reject.submit',
      privateMetadata: '{"r":"1"}',
    });
    expect(slack.state('U0ANA').views.U0ANA ?? []).toEqual([]);

    const { responseUrl } = taken.actions[0] as ActionEvent;
    await gateway.respond(responseUrl ?? '', { text: 'Only you see this', blocks: [] });
    expect(botMessages('C0OPS', 'U0ANA').at(-1)).toMatchObject({ ephemeralFor: 'U0ANA' });
    expect(botMessages('C0OPS', 'U0BEN').at(-1)?.text).toBe('a card');
  });

  it('does not acknowledge an event that it could not store', async () => {
    const { taken, handlers } = recorder();
    const { slack } = await begin(kind, {
      ...handlers,
      accept: async () => {
        throw new Error('the database is away');
      },
    });
    const sent = await slack.command({ as: 'ben', channel: 'support', text: 'anything' });
    expect(sent.acknowledged).toBe(false);
    expect(taken.commands).toEqual([]);
  });

  it('acknowledges and handles an event that arrived before a stop', async () => {
    const { taken, handlers } = recorder();
    const [arrived, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { slack } = await begin(kind, {
      ...handlers,
      async accept(event) {
        arrived.resolve();
        await stored.promise;
        return handlers.accept(event);
      },
    });
    const sent = slack.command({ as: 'ben', channel: 'ops', text: 'just in time' });
    await arrived.promise;
    const stopped = open.edge?.stop();
    // Time enough to close a connection that nobody keeps open.
    await new Promise((resolve) => setTimeout(resolve, 50));
    stored.resolve();
    expect(await sent).toMatchObject({ acknowledged: true });
    await stopped;
    expect(taken.commands.map(({ text }) => text)).toEqual(['just in time']);
  });

  it('handles an event once, however often it is delivered, and ignores other workspaces', async () => {
    const { taken, handlers } = recorder();
    const { slack } = await begin(kind, handlers);
    await slack.postAs({ as: 'ana', channel: 'ops', text: '@countersign once please' });
    await until(() => taken.mentions.length === 1);
    const { envelope } = slack.deliveries.find((one) => one.envelope.type === 'events_api') ?? {};
    if (!envelope) throw new Error('nothing was delivered');
    for (const attempt of [1, 2]) {
      const again = await slack.deliver({ ...envelope, retry: { attempt, reason: 'timeout' } });
      expect(again.acknowledged).toBe(true);
    }
    const foreign = { ...envelope.payload, event_id: 'Ev0OTHER', team_id: 'T0OTHER' };
    await slack.deliver({ ...envelope, payload: foreign });
    await slack.command({ as: 'ana', channel: 'ops', text: 'a mark at the end' });
    await until(() => taken.commands.length === 1);
    expect(taken.mentions).toHaveLength(1);
  });
});

describe('the Slack edge over HTTP', () => {
  it('handles an event that was stored too late for its acknowledgement', async () => {
    const { taken, handlers } = recorder();
    const stored = Promise.withResolvers<void>();
    const accept: SlackHandlers['accept'] = async (event) => {
      await stored.promise;
      return handlers.accept(event);
    };
    const { slack } = await begin('http', { ...handlers, accept }, undefined, 30_000);
    // Bolt answers in our place.
    const sent = await slack.command({ as: 'ben', channel: 'ops', text: 'late' });
    expect(sent).toMatchObject({ acknowledged: false, status: 404 });
    stored.resolve();
    await until(() => taken.commands.length === 1);
  });

  it('rejects forged, stale, future, changed and unsigned requests, and handles a replay once', async () => {
    const { taken, handlers } = recorder();
    const { slack, log } = await begin('http', handlers);
    await slack.command({ as: 'ben', channel: 'ops', text: 'genuine' });
    const record = slack.deliveries.at(-1);
    if (!record) throw new Error('nothing was delivered');
    const { envelope } = record;

    const refused = [
      { secret: 'not-the-secret' },
      { signature: 'v0=0' },
      { signature: '' },
      { timestampSkewSeconds: -310 },
      { timestampSkewSeconds: 310 },
      { changeBody: (raw: string) => raw.replace('genuine', 'page+everybody') },
    ];
    for (const tamper of refused) {
      expect(await slack.deliver(envelope, { tamper })).toMatchObject({ acknowledged: false, status: 401 });
    }
    expect(log.lines.filter((one) => one.message.includes('signature'))).toHaveLength(refused.length);

    expect(await slack.replay(record)).toMatchObject({ acknowledged: true, status: 200 });
    // A new signature with the same trigger: the same click delivered twice.
    for (const timestampSkewSeconds of [-290, 290]) {
      const resent = await slack.deliver(envelope, { tamper: { timestampSkewSeconds } });
      expect(resent.acknowledged).toBe(true);
    }
    await slack.command({ as: 'ben', channel: 'ops', text: 'last' });
    await until(() => taken.commands.length === 2);
    expect(taken.commands.map((one) => one.text)).toEqual(['genuine', 'last']);
  });

  it('refuses other addresses, other methods and unsigned bodies', async () => {
    const { handlers } = recorder();
    const workspace = await startWorkspace({ mode: 'http' });
    open.workspace = workspace;
    const { slack, gateway, log } = workspace;
    const mode = { kind: 'http', signingSecret: 's', port: 0, host: '127.0.0.1' } as const;
    const installations = { of: async () => ({ handlers, gateway }), removed: async () => undefined };
    const common = { apiUrl: slack.apiUrl, installations, log, fetch, now: () => new Date() };
    const edge = createSlackEdge({ ...common, mode });
    open.edge = edge;
    const port = await edge.start();
    const url = `http://127.0.0.1:${port}/slack/events`;
    const status = async (address: string, init: RequestInit) => (await fetch(address, init)).status;
    expect(await status(url, { method: 'GET' })).toBe(405);
    expect(await status(`${url}/x`, { method: 'POST', body: '{}' })).toBe(404);
    expect(await status(url, { method: 'POST', body: 'ssl_check=1' })).toBe(401);

    const second = createSlackEdge({ ...common, mode: { ...mode, port: port ?? 0 } });
    await expect(second.start()).rejects.toMatchObject({ code: 'port_taken' });
  });
});

describe('the Slack edge over Socket Mode', () => {
  it('reconnects after a lost connection, and after a Slack outage', async () => {
    const { taken, handlers } = recorder();
    const { slack, log } = await begin('socket', handlers);
    await until(() => slack.connections === 1);
    slack.dropSockets();
    expect(slack.connections).toBe(0);
    await until(() => slack.connections === 1);
    expect((await slack.command({ as: 'ben', channel: 'ops', text: 'still here' })).acknowledged).toBe(true);

    open.workspace?.faults.add({
      vendor: 'slack',
      match: { path: '/api/apps.connections.open' },
      kind: 'reset',
      times: 1,
    });
    slack.dropSockets();
    await until(() => log.lines.some((one) => one.message === 'Could not connect to Slack'));
    await until(() => slack.connections === 1);
    expect((await slack.command({ as: 'ben', channel: 'ops', text: 'and again' })).acknowledged).toBe(true);
    await until(() => taken.commands.length === 2);
  });

  it('keeps receiving while Slack renews the connection, then drops the old one', async () => {
    const { taken, handlers } = recorder();
    const { slack, faults } = await begin('socket', handlers);
    const opening = { path: '/api/apps.connections.open' };
    faults.add({ vendor: 'slack', match: opening, kind: 'delay' });
    slack.disconnectSockets();
    const say = (text: string) => slack.command({ as: 'ben', channel: 'ops', text });
    expect(await say('during')).toMatchObject({ acknowledged: true, late: false });
    faults.clear();
    await until(() => slack.connections === 2);
    for (const text of ['on one', 'on the other']) expect((await say(text)).acknowledged).toBe(true);
    await until(() => slack.connections === 1);
    expect((await say('after')).acknowledged).toBe(true);
    await until(() => taken.commands.length === 4);
    expect(taken.commands.map((one) => one.text)).toEqual(['during', 'on one', 'on the other', 'after']);
  });

  it('keeps the old connection while Slack gives no new one', async () => {
    const { handlers } = recorder();
    const { slack, faults, log } = await begin('socket', handlers);
    const opening = { path: '/api/apps.connections.open' };
    const away = faults.add({ vendor: 'slack', match: opening, kind: 'status', status: 500 });
    slack.disconnectSockets();
    await until(() => log.lines.some((one) => one.message === 'Could not connect to Slack'));
    expect((await slack.command({ as: 'ben', channel: 'ops', text: 'still' })).acknowledged).toBe(true);
    faults.remove(away);
    await until(() => slack.connections === 2);
  });

  it('does not start with a token that Slack refuses, and starts during a Slack outage', async () => {
    const { handlers } = recorder();
    const workspace = await startWorkspace();
    open.workspace = workspace;
    const { slack } = workspace;
    const log = keepingLog();
    const make = (appToken: string) => {
      const about = { token: world.slack.botToken, apiUrl: slack.apiUrl, fetch, log, now: () => new Date() };
      const gateway = createSlackGateway(about);
      const installations = { of: async () => ({ handlers, gateway }), removed: async () => undefined };
      return createSlackEdge({ ...about, mode: { kind: 'socket', appToken }, installations });
    };
    await expect(make('xapp-wrong').start()).rejects.toMatchObject({ code: 'slack_invalid_auth' });

    const away = workspace.faults.add({ vendor: 'slack', kind: 'reset' });
    const edge = make(world.slack.appToken);
    open.edge = edge;
    await edge.start();
    expect(slack.connections).toBe(0);
    workspace.faults.remove(away);
    await until(() => slack.connections === 1);
    expect(JSON.stringify(log.lines)).not.toMatch(/xoxb-|xapp-/);
  });

  it('knows that nothing was sent when nothing listens', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const address = probe.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await new Promise((resolve) => probe.close(resolve));
    const log = keepingLog();
    const gateway = createSlackGateway({
      token: 'xoxb-x',
      apiUrl: `http://127.0.0.1:${port}/api/`,
      fetch,
      log,
      now: () => new Date(),
    });
    const message = { text: 'x', blocks: [] };
    await expect(gateway.post({ channel: 'C0OPS', message, key: 'k' })).rejects.toMatchObject({
      code: 'slack_unreachable',
      retryable: true,
      mayHaveHappened: false,
    });
  });
});
