/** Why: over HTTP anybody can reach the bot. Only what Slack signed, just now and unchanged, counts, and only once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, clickPayload, configWith, expectSound, rows } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.startHttp({ config: configWith({}) });
});
afterAll(async () => {
  if (workspace === undefined) return;
  await expectSound(workspace);
  await workspace.stop();
});

const envelopeOf = (card: Message) => {
  const value = buttonValue(card, 'plan.approve') ?? '';
  const payload = clickPayload(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });
  return { type: 'interactive' as const, payload };
};

test('the URL is verified, and a signed command makes a card', async () => {
  expect(await workspace.sandbox.slack.verifyRequestUrl()).toBe(true);
  await workspace.plan('ben', breach);
  await workspace.card(breach);
});

test('forged, changed, stale and early requests are rejected and do nothing', async () => {
  const card = await workspace.card(breach);
  const approve = envelopeOf(card);
  const eve = encodeURIComponent('"U0EVA"');
  const tampers = [
    { secret: 'not-the-signing-secret' },
    { signature: `v0=${'0'.repeat(64)}` },
    { signature: '' },
    { signature: 'v1=nothing' },
    { changeBody: (raw: string) => raw.replace(eve, encodeURIComponent('"U0ANA"')) },
    { changeBody: (raw: string) => `${raw}&x=1` },
    { timestampSkewSeconds: -310 },
    { timestampSkewSeconds: 310 },
    { timestampSkewSeconds: -86_400 },
  ];
  const eves = { ...approve, payload: { ...approve.payload, user: { id: 'U0EVA', team_id: 'T0SANDBOX' } } };
  for (const tamper of tampers) {
    const outcome = await workspace.sandbox.slack.deliver(eves, { tamper });
    expect(outcome, JSON.stringify(tamper)).toMatchObject({ acknowledged: false, status: 401 });
  }
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  expect(workspace.pages()).toEqual([]);
});

test('a genuine approval replayed byte for byte is acknowledged and changes nothing', async () => {
  const card = await workspace.card(breach);
  await workspace.sandbox.slack.deliver(envelopeOf(card));
  const record = workspace.sandbox.slack.deliveries.at(-1);
  if (record === undefined) throw new Error('nothing was delivered');
  const again = await Promise.all([1, 2, 3].map(() => workspace.sandbox.slack.replay(record)));
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
  await workspace.reply(card, /^Done/);
  await workspace.becomes(card, 'finished');
  const late = await workspace.sandbox.slack.replay(record);
  expect(late.status).toBe(200);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toHaveLength(1);
  expect(workspace.pages()).toHaveLength(1);
});

test('a replayed command makes no second plan', async () => {
  const goal = 'how many P1 tickets are open in PAY?';
  await workspace.plan('ben', goal);
  await workspace.card(goal);
  const record = workspace.sandbox.slack.deliveries.findLast(
    ({ envelope }) => envelope.type === 'slash_commands',
  );
  if (record === undefined) throw new Error('no command was delivered');
  await workspace.sandbox.slack.replay(record);
  // The same command with a new signature, as in a retry: recognised by its trigger.
  await workspace.sandbox.slack.deliver(record.envelope);
  const other = 'how many P2 tickets are open in PAY?';
  await workspace.plan('ben', other);
  await workspace.card(other);
  const stored = await rows(workspace, 'select goal from requests order by created_at');
  expect(stored.map((row) => row.goal)).toEqual([breach, goal, other]);
});

test('other paths and methods and oversized bodies are refused', async () => {
  const { url } = workspace;
  const post = (path: string, body: string, headers = {}) =>
    fetch(`${url}${path}`, { method: 'POST', body, headers });
  expect((await fetch(`${url}/slack/events`)).status).toBe(405);
  expect((await post('/', 'x')).status).toBe(404);
  expect((await post('/slack/events', 'payload=%7B%7D')).status).toBe(401);
  const plausible = {
    'x-slack-signature': `v0=${'a'.repeat(64)}`,
    'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)),
  };
  // The connection may close before the answer is read, because the server does not wait for the body.
  const large = await post('/slack/events', 'x'.repeat(1_100_000), plausible).then(
    (answer) => answer.status,
    () => 413,
  );
  expect(large).toBe(413);
});
