import { App, LogLevel } from '@slack/bolt';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import type { SandboxSnapshot } from '../../sandbox/control/snapshot.ts';
import { listen } from '../../sandbox/listen.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  closers.push(() => sandbox.close());
  return sandbox;
}

async function call(sandbox: Sandbox, method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${sandbox.controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function state(sandbox: Sandbox, as = ''): Promise<SandboxSnapshot> {
  return (await call(sandbox, 'GET', `/api/state${as === '' ? '' : `?as=${as}`}`)).body;
}

/** Reads the event stream until a state satisfies the condition. */
async function streamUntil(sandbox: Sandbox, wanted: (state: SandboxSnapshot) => boolean): Promise<number> {
  const ending = new AbortController();
  const response = await fetch(`${sandbox.controlUrl}/api/stream?as=U0BEN`, { signal: ending.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  let events = 0;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      events += 1;
      expect(part).toMatch(/^event: state\n/);
      const data = part.split('\n').find((line) => line.startsWith('data: '));
      if (!wanted(JSON.parse(data?.slice('data: '.length) ?? ''))) continue;
      ending.abort();
      return events;
    }
  }
  throw new Error('the stream ended');
}

test('a person types a command, the bot answers over Socket Mode, a person clicks: the page sees it all', async () => {
  const sandbox = await start();
  const { env } = sandbox;
  const bot = new App({
    token: env.SLACK_BOT_TOKEN ?? '',
    appToken: env.SLACK_APP_TOKEN ?? '',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: env.SLACK_API_URL ?? '', retryConfig: { retries: 0 } },
  });
  closers.push(() => bot.stop());
  bot.command('/plan', async ({ ack, command, client }) => {
    await ack();
    const button = {
      type: 'button' as const,
      action_id: 'approve',
      text: { type: 'plain_text' as const, text: 'Go' },
    };
    const blocks = [{ type: 'actions' as const, elements: [button] }];
    await client.chat.postMessage({ channel: command.channel_id, text: `Plan: ${command.text}`, blocks });
  });
  bot.action('approve', async ({ ack, body, client }) => {
    await ack();
    await client.chat.postMessage({ channel: 'C0OPS', text: `Approved by <@${body.user.id}>` });
  });
  await bot.start();

  const streamed = streamUntil(sandbox, ({ slack }) => JSON.stringify(slack).includes('Approved by'));
  const sent = await call(sandbox, 'POST', '/api/slack/command', {
    as: 'U0BEN',
    channel: 'C0OPS',
    text: 'count',
  });
  expect(sent).toMatchObject({ status: 200, body: { acknowledged: true, late: false } });
  const messages = async () =>
    (await state(sandbox, 'U0BEN')).slack.channels.find((one) => one.id === 'C0OPS')?.messages ?? [];
  await expect.poll(async () => (await messages()).map((one) => one.text)).toContain('Plan: count');
  const card = (await messages()).find((one) => one.text === 'Plan: count');
  const click = { as: 'U0ANA', channel: 'C0OPS', ts: card?.ts, actionId: 'approve' };
  expect((await call(sandbox, 'POST', '/api/slack/click', click)).body.acknowledged).toBe(true);
  expect(await streamed).toBeGreaterThan(1);

  const wrong = await call(sandbox, 'POST', '/api/slack/click', { ...click, actionId: 'no such button' });
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: expect.any(String), message: expect.any(String) },
  });
  const { entries } = (await call(sandbox, 'GET', '/api/journal?vendor=slack&path=/api/chat.postMessage'))
    .body;
  expect(entries).toHaveLength(2);
});

test('the environment suits the way the bot listens, and every address is on this machine', async () => {
  const socket = await start();
  expect(socket.env).toMatchObject({
    SLACK_APP_TOKEN: expect.stringMatching(/^xapp-/),
    JIRA_EMAIL: 'countersign@acme.example',
    PAGERDUTY_FROM_EMAIL: 'ana@acme.example',
    PD_ROUTING_KEY_OPS: expect.stringMatching(/^[0-9a-f]{32}$/),
    PD_ROUTING_KEY_PAYMENTS_API: expect.stringMatching(/^[0-9a-f]{32}$/),
    PD_ROUTING_KEY_CHECKOUT: expect.stringMatching(/^[0-9a-f]{32}$/),
    NODE_EXTRA_CA_CERTS: expect.stringMatching(/\.pem$/),
  });
  expect(socket.env).not.toHaveProperty('SLACK_SIGNING_SECRET');
  for (const name of ['SLACK_API_URL', 'JIRA_HOST', 'PAGERDUTY_API_URL']) {
    expect(socket.env[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
  }
  expect(socket.env.PAGERDUTY_EVENTS_HOST).toMatch(/^localhost:\d+$/);
  const http = await start({ slackMode: 'http', botUrl: 'http://127.0.0.1:9' });
  expect(http.env.SLACK_SIGNING_SECRET).toBe(http.world.slack.signingSecret);
  expect(http.env).not.toHaveProperty('SLACK_APP_TOKEN');

  const page = await fetch(socket.controlUrl);
  expect(await page.text()).toContain('<div id="root">');
});

test('monitoring delivers as Alertmanager does, and what it cannot deliver does not count as fired', async () => {
  const delivered: { authorization: string | undefined; body: Record<string, unknown> }[] = [];
  let status: 202 | 503 = 503;
  const app = new Hono();
  app.post('/alerts/monitoring', async (context) => {
    delivered.push({ authorization: context.req.header('authorization'), body: await context.req.json() });
    return context.body(null, status);
  });
  const door = await listen(app);
  closers.push(() => door.close());
  const sandbox = await start({ alertsUrl: `${door.url}/alerts/monitoring` });
  const since = async () =>
    (await state(sandbox)).monitoring.find(({ name }) => name === 'CheckoutSlow')?.since;
  const set = (verb: string, name = 'CheckoutSlow') =>
    call(sandbox, 'POST', `/api/monitoring/${name}/${verb}`, {});
  expect(await set('fire')).toMatchObject({ status: 400, body: { error: 'not_delivered' } });
  expect(await since()).toBeNull();
  status = 202;
  expect((await set('fire')).status).toBe(200);
  const at = await since();
  expect(at).toEqual(expect.any(String));
  expect(await set('fire')).toMatchObject({ status: 400, body: { error: 'nothing_to_do' } });
  expect((await set('resolve')).status).toBe(200);
  expect(await since()).toBeNull();
  expect(await set('fire', 'Unheard')).toMatchObject({ status: 404 });
  const [, fired, over] = delivered;
  expect(fired?.authorization).toBe(`Bearer ${sandbox.env.ALERTS_TOKEN}`);
  expect(fired?.body).toMatchObject({ version: '4', alerts: [{ status: 'firing', startsAt: at }] });
  expect(over?.body).toMatchObject({ status: 'resolved', alerts: [{ status: 'resolved', startsAt: at }] });
  const other = await start();
  expect(await call(other, 'POST', '/api/monitoring/CheckoutSlow/fire', {})).toMatchObject({
    status: 400,
    body: { error: 'no_door' },
  });
});

test('people change Jira and PagerDuty from the page, and what they cannot do is refused with a reason', async () => {
  const sandbox = await start();
  const made = await call(sandbox, 'POST', '/api/jira/issues', {
    as: 'ben',
    project: 'PAY',
    priority: 'P1',
    issueType: 'Incident',
    summary: 'Cards fail',
  });
  expect(made.status).toBe(201);
  const path = `/api/jira/issues/${made.body.key}/transition`;
  expect((await call(sandbox, 'POST', path, { to: 'Resolved' })).body.status).toBe('Resolved');
  expect((await call(sandbox, 'POST', path, { to: 'Blocked' })).body.error).toBe('no_transition');
  const bulk = { project: 'OPS', priority: 'P1', keepOpen: 18 };
  expect((await call(sandbox, 'POST', '/api/jira/issues/bulk-close', bulk)).body.closed).toHaveLength(6);
  const { jira } = await state(sandbox);
  expect(jira.issues.find((one) => one.key === made.body.key)).toMatchObject({
    summary: 'Cards fail',
    reporter: 'Ben Okafor',
    statusCategory: 'done',
  });
  const open = jira.issues.filter(
    (one) => one.project === 'OPS' && one.priority === 'P1' && one.statusCategory !== 'done',
  );
  expect(open).toHaveLength(18);

  const until = new Date(Date.now() + 3_600_000).toISOString();
  await call(sandbox, 'PUT', '/api/pagerduty/oncall', { service: 'ops', user: 'U0DEV', until });
  const { store } = sandbox.pagerduty;
  const { id } = store.create({
    service: 'PSOPS01',
    title: 'Down',
    incidentKey: 'k',
    urgency: 'high',
    by: null,
  });
  const verb = (name: string, as = 'U0DEV') =>
    call(sandbox, 'POST', `/api/pagerduty/incidents/${id}/${name}`, { as });
  expect((await verb('acknowledge')).body).toEqual({ id, status: 'acknowledged' });
  const { pagerduty } = await state(sandbox);
  expect(pagerduty.onCalls[0]).toMatchObject({
    service: { name: 'ops' },
    user: 'U0DEV',
    name: 'Dev Patel',
    until,
  });
  expect(pagerduty.incidents).toMatchObject([
    { number: 1, service: 'checkout' },
    {
      number: 2,
      service: 'ops',
      dedupKey: 'k',
      notified: [{ user: 'U0DEV' }],
      acknowledgedBy: [{ user: 'U0DEV' }],
    },
  ]);
  expect((await verb('resolve')).status).toBe(200);
  expect((await verb('resolve')).body.error).toBe('already_resolved');

  const refused: [string, string, unknown, number, string][] = [
    ['POST', '/api/jira/issues', { as: 'ben', project: 'NOPE', summary: 'x' }, 404, 'project_not_found'],
    ['POST', '/api/jira/issues', { as: 'mallory', project: 'OPS', summary: 'x' }, 404, 'user_not_found'],
    ['POST', '/api/jira/issues', { as: 'ben', project: 'OPS', summary: '' }, 400, 'invalid_request'],
    ['POST', '/api/jira/issues/bulk-close', { ...bulk, keepOpen: -1 }, 400, 'invalid_request'],
    ['POST', '/api/jira/issues/OPS-9999/transition', { to: 'Done' }, 404, 'jira_refusal'],
    ['POST', '/api/pagerduty/incidents/PINONE/resolve', { as: 'ana' }, 404, 'incident_not_found'],
    ['PUT', '/api/pagerduty/oncall', { service: 'nope', user: 'ana' }, 404, 'service_not_found'],
    [
      'PUT',
      '/api/pagerduty/oncall',
      { service: 'ops', user: 'ana', until: '2020-01-01T00:00:00Z' },
      400,
      'until_is_past',
    ],
    ['POST', '/api/slack/command', { as: 'U0BEN' }, 400, 'invalid_request'],
    ['POST', '/api/faults', { vendor: 'jira', kind: 'explode' }, 400, 'invalid_request'],
    ['DELETE', '/api/faults/fault-77', undefined, 404, 'fault_not_found'],
    ['GET', '/api/nothing', undefined, 404, 'not_found'],
  ];
  for (const [method, at, body, status, error] of refused) {
    expect([at, await call(sandbox, method, at, body)]).toMatchObject([at, { status, body: { error } }]);
  }
});

test('faults are switched on and off over HTTP, and a reset brings the first state back', async () => {
  const sandbox = await start();
  const fault = { vendor: 'jira', kind: 'status', status: 503, match: { path: '/rest/api/3/search' } };
  const { id } = (await call(sandbox, 'POST', '/api/faults', fault)).body;
  expect((await call(sandbox, 'GET', '/api/faults')).body.faults).toEqual([{ ...fault, id, hits: 0 }]);
  const ask = async () => (await fetch(`${sandbox.jira.url}/rest/api/3/search/jql`)).status;
  expect(await ask()).toBe(503);
  await call(sandbox, 'DELETE', `/api/faults/${id}`);
  expect(await ask()).toBe(401);
  expect((await call(sandbox, 'GET', '/api/journal?vendor=jira&after=1')).body.entries).toMatchObject([
    { id: 2, vendor: 'jira', status: 401, authOk: false },
  ]);

  await call(sandbox, 'POST', '/api/faults', fault);
  await call(sandbox, 'POST', '/api/slack/message', { as: 'ana', channel: 'general', text: 'Hello' });
  sandbox.jira.store.bulkClose('OPS', 'P1', 0);
  const changed = await state(sandbox);
  expect(changed.slack.channels.flatMap((one) => one.messages)).toHaveLength(1);
  await call(sandbox, 'POST', '/api/reset', {});
  const fresh = await state(sandbox);
  expect(fresh.slack.channels.flatMap((one) => one.messages)).toEqual([]);
  expect(
    fresh.jira.issues.filter((one) => one.project === 'OPS' && one.statusCategory !== 'done'),
  ).toHaveLength(35);
  expect(sandbox.faults.list()).toEqual([]);
  expect(sandbox.journal.list()).toEqual([]);
});

test('only the page itself may control the sandbox', async () => {
  const sandbox = await start();
  const message = { as: 'ana', channel: 'general', text: 'Hello' };
  const elsewhere = await call(sandbox, 'POST', '/api/slack/message', message, {
    origin: 'https://evil.example',
  });
  expect(elsewhere).toMatchObject({ status: 403, body: { error: 'foreign_origin' } });
  expect((await state(sandbox)).slack.channels.flatMap((one) => one.messages)).toEqual([]);
  const own = await call(sandbox, 'POST', '/api/slack/message', message, { origin: sandbox.controlUrl });
  expect(own.status).toBe(200);
});
