import { afterEach, describe, expect, it } from 'vitest';
import { defaultApp } from '../../../sandbox/slack/default-app.ts';
import { readManifest } from '../../../sandbox/slack/manifest.ts';
import { world } from '../../../sandbox/world.ts';
import { header, plain } from '../../../src/blocks/layout.ts';
import { bold, line, person, rich } from '../../../src/blocks/rich.ts';
import { createSlackGateway } from '../../../src/vendors/slack/gateway.ts';
import { assertSlackAddress } from '../../../src/vendors/slack/origins.ts';
import { type AddressBook, createSlackToolPort } from '../../../src/vendors/slack/tool-port.ts';
import { startOddServer } from '../../support/odd-server.ts';
import { keepingLog, startWorkspace, type TestWorkspace } from '../../support/slack-workspace.ts';

let open: TestWorkspace | null = null;

afterEach(async () => {
  await open?.close();
  open = null;
});

async function begin(options: Parameters<typeof startWorkspace>[0] = {}): Promise<TestWorkspace> {
  open = await startWorkspace(options);
  return open;
}

const hello = { text: 'hello', blocks: [rich([line('hello')])] };
const posting = { vendor: 'slack', match: { path: '/api/chat.postMessage' } } as const;
const requests = (workspace: TestWorkspace, method: string): number =>
  workspace.journal.list({ vendor: 'slack' }).filter((entry) => entry.path.endsWith(method)).length;

describe('the surface for agents', () => {
  it('says what it does without a stop button where the app is not declared as an agent, and warns once', async () => {
    const { gateway, slack, log } = await begin({ app: defaultApp });
    const { ts } = await gateway.post({ channel: 'C0OPS', message: hello, key: 'root' });
    const doing = { channel: 'C0OPS', threadTs: ts, words: 'is reading Jira…', title: 'how many' };
    await gateway.showDoing(doing);
    await gateway.showDoing({ ...doing, words: 'is reading PagerDuty…' });
    expect(slack.state().agentThreads).toMatchObject([{ status: 'is reading PagerDuty…', session: null }]);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('keeps the stop button when a single thread is gone', async () => {
    const { gateway, slack } = await begin();
    const doing = { channel: 'C0OPS', threadTs: '1.1', words: 'is reading Jira…', title: 'how many' };
    await expect(gateway.showDoing(doing)).rejects.toMatchObject({ code: 'slack_invalid_thread_ts' });
    const { ts } = await gateway.post({ channel: 'C0OPS', message: hello, key: 'root' });
    await gateway.showDoing({ ...doing, threadTs: ts });
    expect(slack.state().agentThreads).toMatchObject([{ session: 'processing', title: 'how many' }]);
  });
});

describe('posting', () => {
  it('posts, replies, updates and sends private messages without previews or accidental mentions', async () => {
    const { gateway, botMessages, slack } = await begin();
    const nasty = 'see https://evil.example @ana #general <!channel> <@U0BEN>';
    const message = { text: 'x', blocks: [rich([line(nasty, bold(nasty), person('U0CHIARA'))])] };
    const root = await gateway.post({ channel: 'C0OPS', message, key: 'root' });
    await gateway.post({ channel: 'C0OPS', threadTs: root.ts, message: hello, key: 'reply' });
    await gateway.update({ ...root, message: { ...message, text: 'changed' }, key: 'root' });
    await gateway.ephemeral({ channel: 'C0OPS', userId: 'U0BEN', message: hello });

    const [card, reply] = botMessages('C0OPS', 'U0ANA');
    expect(card).toMatchObject({ text: 'changed', edited: true, mentions: ['U0CHIARA'] });
    expect(card?.metadata?.event_payload).toEqual({ key: 'root' });
    expect(reply?.threadTs).toBe(root.ts);
    expect(botMessages('C0OPS', 'U0ANA')).toHaveLength(2);
    expect(botMessages('C0OPS', 'U0BEN').at(-1)?.ephemeralFor).toBe('U0BEN');
    expect(await gateway.permalink('C0OPS', root.ts)).toMatch(/^https?:\/\/.*\/archives\/C0OPS\/p\d+/);
    const direct = await gateway.openDirect('U0EVA');
    await gateway.post({ channel: direct, message: hello, key: 'direct' });
    const im = slack.state('U0EVA').channels.find((channel) => channel.im === 'U0EVA');
    expect(im?.messages.at(-1)?.text).toBe('hello');
  });

  it('notices a new guest within seconds, and uses an answer up to a minute old if Slack is unavailable', async () => {
    let at = Date.parse('2026-03-02T12:00:00Z');
    const { gateway, faults, slack } = await begin({ now: () => new Date(at) });
    const isGuest = async () => (await gateway.recent.userInfo('U0EVA'))?.guest;
    expect(await isGuest()).toBe(false);
    const eva = slack.world.people.find(({ id }) => id === 'U0EVA');
    if (eva === undefined) throw new Error('there is no Eva');
    eva.isGuest = true;
    at += 4_000;
    expect(await isGuest()).toBe(true);
    eva.isGuest = false;
    at += 4_000;
    faults.add({
      vendor: 'slack',
      match: { path: '/api/users.info' },
      kind: 'status',
      status: 429,
      retryAfterSeconds: 3_600,
    });
    expect(await isGuest()).toBe(true);
    at += 60_000;
    await expect(isGuest()).rejects.toMatchObject({ code: 'slack_rate_limited' });
  });

  it('uses answers about people and channels again for as long as the settings say at that moment', async () => {
    let at = Date.parse('2026-03-02T12:00:00Z');
    let keep = 10_000;
    const keepMs = () => ({ people: keep, channels: keep });
    const workspace = await begin({ now: () => new Date(at), keepMs });
    const { gateway } = workspace;
    const asked = async () => {
      const methods = ['users.info', 'conversations.info'];
      const before = methods.map((method) => requests(workspace, method));
      await gateway.userInfo('U0EVA');
      await gateway.fresh.userInfo('U0EVA');
      await gateway.audienceOf('C0OPS');
      return methods.map((method, nth) => requests(workspace, method) - (before[nth] ?? 0));
    };
    expect(await asked()).toEqual([1, 1]);
    at += 900;
    expect(await asked()).toEqual([0, 0]);
    at += 8_000;
    // A decision reuses nothing that is older than a second.
    expect(await asked()).toEqual([1, 0]);
    keep = 0;
    expect(await asked()).toEqual([2, 1]);
  });

  it('never posts twice: a post whose answer was lost is reported as possible and found by its key', async () => {
    const workspace = await begin();
    const { gateway, faults, botMessages } = workspace;
    const since = new Date();
    for (const kind of ['lost-answer', 'truncate'] as const) {
      faults.add({ ...posting, kind, times: 1 });
      const attempt = gateway.post({ channel: 'C0OPS', message: hello, key: kind });
      await expect(attempt).rejects.toMatchObject({ retryable: true, mayHaveHappened: true });
      const found = await gateway.findByKey({ channel: 'C0OPS', key: kind, since });
      expect(found?.ts).toBe(botMessages('C0OPS').at(-1)?.ts);
      expect(found?.link).toContain('/archives/C0OPS/');
    }
    expect(requests(workspace, 'chat.postMessage')).toBe(2);
    expect(await gateway.findByKey({ channel: 'C0OPS', key: 'never posted', since })).toBeNull();
  });

  it('retries only what certainly did not happen', async () => {
    const workspace = await begin();
    const { gateway, faults, botMessages } = workspace;
    faults.add({ ...posting, kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 });
    await gateway.post({ channel: 'C0OPS', message: hello, key: 'a' });
    expect(botMessages('C0OPS')).toHaveLength(1);
    expect(requests(workspace, 'chat.postMessage')).toBe(2);

    faults.add({ ...posting, kind: 'status', status: 429, retryAfterSeconds: 3_600, times: 1 });
    const waiting = gateway.post({ channel: 'C0OPS', message: hello, key: 'b' });
    await expect(waiting).rejects.toMatchObject({
      code: 'slack_rate_limited',
      retryAfterMs: 3_600_000,
      mayHaveHappened: false,
    });
    faults.add({ ...posting, kind: 'status', status: 503, times: 1 });
    const broken = gateway.post({ channel: 'C0OPS', message: hello, key: 'c' });
    await expect(broken).rejects.toMatchObject({ code: 'slack_http', mayHaveHappened: true });
    expect(requests(workspace, 'chat.postMessage')).toBe(4);
    // An update is safe to repeat, so it is retried.
    const { ts } = await gateway.post({ channel: 'C0OPS', message: hello, key: 'd' });
    faults.add({ vendor: 'slack', match: { path: '/api/chat.update' }, kind: 'reset', times: 2 });
    await gateway.update({ channel: 'C0OPS', ts, message: { ...hello, text: 'later' }, key: 'd' });
    expect(botMessages('C0OPS').at(-1)?.text).toBe('later');
  });

  it('gives up on a Slack that hangs, and at once when aborted', async () => {
    const { gateway, faults } = await begin({ timeoutMs: 50 });
    faults.add({ ...posting, kind: 'hang', times: 2 });
    const slow = gateway.post({ channel: 'C0OPS', message: hello, key: 'a' });
    await expect(slow).rejects.toMatchObject({ code: 'slack_silent', mayHaveHappened: true });
    const stop = new AbortController();
    const aborted = gateway.post({ channel: 'C0OPS', message: hello, key: 'b', signal: stop.signal });
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'slack_aborted', mayHaveHappened: true });
    const before = gateway.post({ channel: 'C0OPS', message: hello, key: 'c', signal: AbortSignal.abort() });
    await expect(before).rejects.toMatchObject({ code: 'slack_aborted', mayHaveHappened: false });
  });

  it('names missing scopes at the first call and where one is needed', async () => {
    const app = readManifest('slack-manifest.yml');
    const scopes = app.scopes.filter((scope) => !/^(chat:write|users:read\.email)$/.test(scope));
    const { gateway, log } = await begin({ app: { ...app, scopes } });
    await gateway.identity();
    expect(log.lines).toContainEqual({
      level: 'warn',
      message: 'The Slack app lacks scopes: add them under OAuth & Permissions and install the app again',
      facts: { scopes: 'chat:write, users:read.email' },
    });
    await expect(gateway.post({ channel: 'C0OPS', message: hello, key: 'a' })).rejects.toMatchObject({
      code: 'slack_missing_scope',
      message:
        'SLACK_BOT_TOKEN lacks the scope chat:write: add it under OAuth & Permissions and install the app again.',
    });
  });

  it('explains that a channel or workspace does not allow the app to post', async () => {
    const { gateway, faults } = await begin();
    faults.add({
      ...posting,
      kind: 'status',
      status: 200,
      body: { ok: false, error: 'restricted_action' },
      times: 1,
    });
    await expect(gateway.post({ channel: 'C0OPS', message: hello, key: 'a' })).rejects.toMatchObject({
      message: expect.stringContaining('do not let Countersign post there'),
    });
  });

  it('explains in its own words why Slack refused, without the token', async () => {
    const { gateway, log, slack } = await begin({ unknownBlocks: ['plan', 'task_card'] });
    await expect(gateway.post({ channel: 'C0SUPPORT', message: hello, key: 'a' })).rejects.toMatchObject({
      code: 'slack_not_in_channel',
      retryable: false,
      mayHaveHappened: false,
      message: expect.stringContaining('/invite'),
    });
    const plan = { text: 'x', blocks: [{ type: 'plan' as const, title: 'x', tasks: [] }] };
    await expect(gateway.post({ channel: 'C0OPS', message: plan, key: 'b' })).rejects.toMatchObject({
      code: 'slack_invalid_blocks',
      retryable: false,
    });
    const tooLong = { text: 'x', blocks: Array.from({ length: 51 }, () => header('x')) };
    await expect(gateway.post({ channel: 'C0OPS', message: tooLong, key: 'c' })).rejects.toMatchObject({
      code: 'blocks_do_not_fit',
    });
    const wrong = createSlackGateway({
      token: 'xoxb-wrong',
      apiUrl: slack.apiUrl,
      fetch,
      log,
      now: () => new Date(),
    });
    await expect(wrong.identity()).rejects.toMatchObject({
      message: expect.stringContaining('SLACK_BOT_TOKEN'),
    });
    expect(JSON.stringify(log.lines)).not.toContain('xoxb-');
  });
});

describe('reading', () => {
  it('looks up itself and other people, and asks Slack at most once a minute', async () => {
    let now = new Date('2026-03-02T12:00:00Z');
    const workspace = await begin();
    const { slack } = workspace;
    const gateway = createSlackGateway({
      token: world.slack.botToken,
      apiUrl: slack.apiUrl,
      fetch,
      log: keepingLog(),
      now: () => now,
    });
    const [who] = await Promise.all([gateway.identity(), gateway.identity()]);
    expect(who).toEqual({ teamId: 'T0SANDBOX', botUserId: 'U0COUNTER', botId: 'B0COUNTER' });
    expect(requests(workspace, 'auth.test')).toBe(1);

    const sre = await gateway.groupMembers('S0SRE');
    expect([...sre]).toEqual(['U0ANA', 'U0CHIARA']);
    await gateway.groupMembers('S0SRE');
    expect(requests(workspace, 'usergroups.users.list')).toBe(1);
    now = new Date(now.getTime() + 60_001);
    await gateway.groupMembers('S0SRE');
    expect(requests(workspace, 'usergroups.users.list')).toBe(2);

    expect(await gateway.userInfo('U0BEN')).toMatchObject({
      realName: 'Ben Okafor',
      bot: false,
      guest: false,
    });
    expect(await gateway.userInfo('U0COUNTER')).toMatchObject({ bot: true });
    expect(await gateway.userInfo('U0NOBODY')).toBeNull();
    expect(await gateway.userByEmail('ana@acme.example')).toBe('U0ANA');
    expect(await gateway.userByEmail('nobody@acme.example')).toBeNull();
  });

  it('does not cache a failure', async () => {
    const { gateway, faults } = await begin();
    const away = faults.add({ vendor: 'slack', kind: 'reset' });
    await expect(gateway.groupMembers('S0SRE')).rejects.toMatchObject({ retryable: true });
    await expect(gateway.identity()).rejects.toMatchObject({ retryable: true });
    faults.remove(away);
    expect((await gateway.groupMembers('S0SRE')).size).toBe(2);
    expect((await gateway.identity()).teamId).toBe('T0SANDBOX');
  });

  it('publishes the Home', async () => {
    const { gateway, slack } = await begin();
    await gateway.publishHome('U0ANA', { type: 'home', blocks: [header('Waiting')] });
    expect(JSON.stringify(slack.state('U0ANA').homes.U0ANA?.definition)).toContain('Waiting');
  });

  it('opens and updates modals while the trigger is valid', async () => {
    const { gateway, slack } = await begin({ mode: 'http' });
    const view = (title: string) => ({
      type: 'modal' as const,
      title: plain(title, 24),
      blocks: [header(title)],
    });
    await slack.command({ as: 'ana', channel: 'ops', text: 'x' });
    const trigger = String(slack.deliveries.at(-1)?.envelope.payload.trigger_id);
    const opened = await gateway.openView(trigger, view('First'));
    await gateway.updateView(opened, view('Second'));
    expect(slack.state('U0ANA').views.U0ANA?.[0]?.definition).toMatchObject({ title: { text: 'Second' } });
    await expect(gateway.updateView(opened, view('Third'))).rejects.toMatchObject({
      code: 'slack_hash_conflict',
    });
    await expect(gateway.openView(trigger, view('Again'))).rejects.toMatchObject({
      mayHaveHappened: false,
      retryable: false,
    });
  });
});

describe('response addresses', () => {
  it('are contacted only if they belong to Slack', () => {
    const slack = 'https://slack.com/api/';
    const allowed = ['https://hooks.slack.com/actions/T1/1/x', 'https://slack.com/x'];
    for (const address of allowed) expect(() => assertSlackAddress(address, slack)).not.toThrow();
    const refused = [
      'https://hooks.slack.com.evil.example/x',
      'http://hooks.slack.com/x',
      'https://evil.example/hooks.slack.com',
      'https://user@evil.example',
      'file:///etc/passwd',
      'not an address',
      'http://169.254.169.254/latest',
    ];
    for (const address of refused)
      expect(() => assertSlackAddress(address, slack)).toThrow(/does not belong to Slack/);
  });

  it('are not left by a redirect, which would take the token along', async () => {
    const elsewhere = await startOddServer((_request, response) => {
      response.end('{"ok":true}');
    });
    const api = await startOddServer((_request, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const gateway = createSlackGateway({
      token: world.slack.botToken,
      apiUrl: `${api.url}/api/`,
      fetch,
      log: keepingLog(),
      now: () => new Date(),
    });
    await expect(gateway.identity()).rejects.toThrow();
    await expect(gateway.post({ channel: 'C0OPS', message: hello, key: 'x' })).rejects.toThrow();
    await expect(gateway.respond(`${api.url}/respond`, hello)).rejects.toThrow();
    expect(elsewhere.requests).toEqual([]);
    expect(api.requests.length).toBeGreaterThan(2);
    await api.close();
    await elsewhere.close();
  });

  it('that refuse an answer with status 200 cause an error', async () => {
    const answers = ['{"ok":false,"error":"invalid_blocks"}', 'ok', '{"ok":true}'];
    const api = await startOddServer((_request, response) => {
      response.end(answers.shift());
    });
    const { token, log } = { token: world.slack.botToken, log: keepingLog() };
    const gateway = createSlackGateway({
      token,
      apiUrl: `${api.url}/api/`,
      fetch,
      log,
      now: () => new Date(),
    });
    await expect(gateway.respond(`${api.url}/respond`, hello)).rejects.toMatchObject({
      code: 'slack_respond',
      retryable: false,
      mayHaveHappened: false,
      facts: { slack: 'invalid_blocks' },
    });
    await gateway.respond(`${api.url}/respond`, hello);
    await gateway.respond(`${api.url}/respond`, hello);
    await api.close();
  });

  it('that are forged are not called', async () => {
    const { gateway } = await begin();
    const away = gateway.respond('http://127.0.0.1:1/steal', hello);
    await expect(away).rejects.toMatchObject({ code: 'slack_foreign_address', mayHaveHappened: false });
  });
});

describe('Slack for the tools', () => {
  const book: AddressBook = {
    find: (name) => (name === '#ops' ? { channel: 'C0OPS' } : name === '@ana' ? { userId: 'U0ANA' } : null),
    handleOf: (userId) => (userId === 'U0ANA' ? '@ana' : null),
  };
  const never = new AbortController().signal;

  it('posts plain text, only to known channels and people, and finds it again', async () => {
    const workspace = await begin();
    const { gateway, botMessages, slack, faults } = workspace;
    const { reader, writer } = createSlackToolPort(gateway, book);
    const since = new Date();
    const text = `<!channel> OPS has 24 open tickets\u202e\n${'long '.repeat(590)}end`;
    const posted = await writer.post(
      { to: '#ops', text, key: 'k1', context: 'Approved by @ana', threadLink: null },
      never,
    );
    const message = botMessages('C0OPS')[0];
    expect(message?.mentions).toEqual([]);
    expect(posted).toMatchObject({ channel: 'C0OPS', ts: message?.ts, link: expect.stringContaining('/p') });
    const shown = JSON.stringify(message?.blocks);
    expect(shown).toContain('<!channel> OPS has 24 open tickets');
    expect(shown).toContain('long end');
    expect(await reader.postByKey('#ops', 'k1', since, never)).toMatchObject({ ts: posted.ts });
    expect(await reader.postByKey('#ops', 'k2', since, never)).toBeNull();

    faults.add({ ...posting, kind: 'lost-answer', times: 1 });
    const lost = writer.post({ to: '@ana', text: 'hello', key: 'k3', context: '', threadLink: null }, never);
    await expect(lost).rejects.toMatchObject({ mayHaveHappened: true });
    expect(await reader.postByKey('@ana', 'k3', since, never)).not.toBeNull();
    const im = slack.state('U0ANA').channels.find((channel) => channel.im === 'U0ANA');
    expect(im?.messages).toHaveLength(1);

    const stranger = writer.post(
      { to: '#somewhere', text: 'x', key: 'k4', context: '', threadLink: null },
      never,
    );
    await expect(stranger).rejects.toMatchObject({ code: 'slack_unknown_target', mayHaveHappened: false });
  });
});
