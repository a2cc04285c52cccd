/** Why: one bot for several workspaces must never mix them up, and must post nothing where it was removed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doctor } from '../../../src/commands/doctor.ts';
import { startHere } from '../../support/bot.ts';
import { Company, messagesOf, tokenKey } from '../../support/many-workspaces.ts';
import { buttonValue } from '../../support/scenario.ts';
import { wordsOf } from '../../support/workspace.ts';

const page = 'pagerduty.page service=ops text="OPS is slow"';

let company: Company;
beforeAll(async () => {
  company = await Company.start();
});
afterAll(() => company?.stop());

const ready = async (): Promise<unknown> =>
  (await fetch(`http://127.0.0.1:${company.env.OPS_PORT}/readyz`)).json();
const tokensOf = () => company.rows('select team_id, token from installations order by team_id');

test('the bot starts without a workspace and is installed in two by OAuth, with encrypted tokens', async () => {
  expect(await company.install('T0SANDBOX')).toMatch(
    /<h1>Countersign is installed in Acme<\/h1>.*Type \/plan help.*\/app_redirect\?app=A0COUNTER&amp;team=T0SANDBOX"/s,
  );
  expect(await company.install('T1SANDBOX')).toContain('is installed');
  const rows = await tokensOf();
  expect(rows.map(({ team_id }) => team_id)).toEqual(['T0SANDBOX', 'T1SANDBOX']);
  expect(JSON.stringify(rows)).not.toContain('xoxb-');
  expect(company.bot.log()).not.toMatch(/xoxb-T|sandbox-client-secret/);
});

test('the doctor checks each workspace and says where the bot is missing', async () => {
  const lines: string[] = [];
  const variables = { ...company.sandbox.env, ...company.env };
  const out = (line: string) => void lines.push(line.replace(/ +/g, ' '));
  await doctor([], { variables, out, error: out });
  expect(lines).toContainEqual(expect.stringMatching(/^ok T1SANDBOX slack signed in to Acme \(T1SANDBOX\)/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^note workspace E2SANDBOX .*\/slack\/install and choose it$/),
  );
});

test('an executor serves the same workspaces with only the token key', async () => {
  const notItsOwn = {
    SLACK_CLIENT_ID: '',
    SLACK_CLIENT_SECRET: '',
    SLACK_SIGNING_SECRET: '',
    PORT: '',
    OPS_PORT: '',
  };
  const env = { ...company.env, ...notItsOwn, COUNTERSIGN_ROLE: 'executor' };
  const executor = await startHere(company.sandbox, env);
  const served = await company.rows("select team_id from processes where role = 'executor' order by team_id");
  expect(served).toEqual([{ team_id: 'T0SANDBOX' }, { team_id: 'T1SANDBOX' }]);
  expect(await executor.stop()).toBe(0);
});

test('the same request in both has its card, its approval and its page in the right one', async () => {
  for (const slack of [company.south, company.north])
    await slack.command({ as: 'ben', channel: 'ops', text: page });
  const [south, north] = await Promise.all([
    company.card(company.south, 'OPS is slow'),
    company.card(company.north, 'OPS is slow'),
  ]);
  const click = { as: 'ana', channel: north.channel, ts: north.ts, actionId: 'plan.approve' };
  await company.north.clickButton(click);
  await company.soon(() => company.sandbox.pagerduty.store.incidents().length === 2, 'one page');
  await company.soon(
    () =>
      messagesOf(company.north, 'ops').some(
        (one) => one.threadTs === north.ts && /paged/i.test(wordsOf(one)),
      ),
    'the report in the thread',
  );
  expect(
    messagesOf(company.south, 'ops').filter(({ threadTs }) => threadTs === south.ts && threadTs !== south.ts),
  ).toEqual([]);
  const runs = await company.rows('select team_id, state from revisions order by team_id');
  expect(runs).toEqual([
    { team_id: 'T0SANDBOX', state: 'proposed' },
    { team_id: 'T1SANDBOX', state: 'approved' },
  ]);
});

test('a member of the other workspace cannot approve in a shared channel', async () => {
  const card = await company.card(company.south, 'OPS is slow');
  const { id, domain } = company.north.world.team;
  // Slack's description of a person from the other side.
  const user = { id: 'U1ANA', team_id: id, is_stranger: false };
  const body = { ok: true, user };
  const match = { path: '/api/users.info' };
  const fault = company.southFaults.add({ vendor: 'slack', kind: 'status', status: 200, match, body });
  const value = buttonValue(card, 'plan.approve');
  await company.north.deliver({
    type: 'interactive',
    payload: {
      ...{ type: 'block_actions', trigger_id: '1.outsider', team: { id, domain }, user },
      ...{ channel: { id: card.channel }, container: { message_ts: card.ts, channel_id: card.channel } },
      message: { ts: card.ts, bot_id: company.south.world.bot.botId },
      actions: [{ type: 'button', action_id: 'plan.approve', block_id: 'b', value }],
    },
  });
  const refused = () =>
    company.rows("select team_id, actor, data from audit where kind = 'click.refused' order by seq");
  await expect
    .poll(refused, { timeout: 15_000 })
    .toEqual([{ team_id: 'T0SANDBOX', actor: 'U1ANA', data: expect.stringContaining('"external"') }]);
  company.southFaults.remove(fault);
  expect(await company.rows("select state from revisions where team_id = 'T0SANDBOX'")).toEqual([
    { state: 'proposed' },
  ]);
});

test('a wrong state, a reused code and an unwanted workspace install nothing', async () => {
  const before = await tokensOf();
  const { back, cookie } = await company.agree('T0SANDBOX');
  const forged = new URL(back);
  forged.searchParams.set('state', 'x'.repeat(40));
  const wrong = await fetch(forged, { headers: { cookie } });
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('belongs to another browser'),
  ]);
  const stolen = await fetch(back);
  expect(stolen.status).toBe(400);
  const refused = new URL(back);
  refused.search = new URLSearchParams({
    error: 'access_denied',
    state: refused.searchParams.get('state') ?? '',
  }).toString();
  const cancelled = await fetch(refused, { headers: { cookie } });
  expect([cancelled.status, await cancelled.text()]).toEqual([
    403,
    expect.stringMatching(/did not agree.*href="\/slack\/install">Start again/s),
  ]);
  expect(await tokensOf()).toEqual(before);

  expect((await fetch(back, { headers: { cookie } })).status).toBe(200);
  // Slack returns the same token again, so nothing running there is disturbed.
  const after = await tokensOf();
  expect(after).toEqual(before);
  const replayed = await fetch(back, { headers: { cookie } });
  expect([replayed.status, await replayed.text()]).toEqual([
    400,
    expect.stringContaining('This link was used before'),
  ]);
  // Also with a code that Slack has not seen yet.
  const other = new URL((await company.agree('T0SANDBOX')).back);
  other.searchParams.set('state', new URL(back).searchParams.get('state') ?? '');
  const reused = await fetch(other, { headers: { cookie } });
  expect([reused.status, await reused.text()]).toEqual([
    400,
    expect.stringContaining('This link was used before'),
  ]);
  expect(await tokensOf()).toEqual(after);

  expect(await company.install('T2SANDBOX')).toMatch(
    /not meant for Acme \(T2SANDBOX\).*workspaces in countersign\.yml/,
  );
  expect(await tokensOf()).toEqual(after);
  expect(company.slack.isInstalled('T2SANDBOX')).toBe(false);
  const outcome = await company.company.command({ as: 'ben', channel: 'ops', text: 'help' });
  expect(outcome.response).toContain('not set up for this workspace');
});

test('clicks and forms from a workspace that is not served get an answer', async () => {
  const { company: slack } = company;
  await slack.postAs({ as: 'ben', channel: 'ops', text: 'the queue is stuck' });
  const message = messagesOf(slack, 'ops').findLast(({ text }) => text === 'the queue is stuck');
  if (message === undefined) throw new Error('there is no message');
  const { channel, ts } = message;
  const told = () =>
    slack
      .state('U2BEN')
      .channels.flatMap(({ messages }) => messages)
      .filter((one) => one.ephemeralFor === 'U2BEN' && one.text.includes('not set up for this workspace'));
  const before = told().length;
  await slack.messageShortcut({ as: 'ben', channel, ts, callbackId: 'plan_from_message' });
  await company.soon(() => told().length > before, 'an answer to the shortcut');
  const team = { id: slack.world.team.id, domain: slack.world.team.domain };
  const payload = {
    ...{ type: 'view_submission', api_app_id: slack.world.bot.appId, team },
    user: { id: 'U2BEN', team_id: team.id },
    view: {
      id: 'V1',
      callback_id: 'plan.ask.submit',
      private_metadata: '',
      state: { values: {} },
      hash: '1',
    },
  };
  const answer = await slack.deliver({ type: 'interactive', payload });
  expect(JSON.stringify(answer.response)).toMatch(
    /"response_action":"update".*not set up for this workspace/,
  );
});

test('removing the bot during a run stops all messages and writes there, and the rest goes on', async () => {
  const { south, north } = company;
  const pagesBefore = company.sandbox.pagerduty.store.incidents().length;
  const watch = 'page ops if OPS has more than 3 open P1 tickets, every hour';
  await south.command({ as: 'ben', channel: 'ops', text: watch });
  await company.soon(() => messagesOf(south, 'ops').some((one) => /hour/.test(wordsOf(one))), 'the watch');
  const plan = [
    'count = jira.count project=PAY priority=P1',
    'when count.total >= 0: pagerduty.page service=payments-api text="PAY is slow"',
  ].join('\n');
  await south.command({ as: 'ben', channel: 'ops', text: plan });
  const card = await company.card(south, 'PAY is slow');
  const jira = company.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await south.clickButton({ as: 'ana', channel: card.channel, ts: card.ts, actionId: 'plan.approve' });
  await expect
    .poll(() => company.rows(`${runsOf} and state = 'running' and mode = 'run'`), { timeout: 15_000 })
    .toHaveLength(1);
  await company.uninstall(south);
  const posts = () => company.slack.refused;
  const refusedBefore = posts();

  await expect
    .poll(() => company.rows(`${runsOf} and mode = 'run' and cancel_at is not null`))
    .toHaveLength(1);
  company.sandbox.faults.remove(jira);
  await expect
    .poll(() => company.rows(installation), { timeout: 20_000 })
    .toEqual([{ token: null, closed: true }]);
  expect(await company.rows(`${runsOf} and mode = 'run'`)).toEqual([{ outcome: 'cancelled' }]);
  expect(company.sandbox.pagerduty.store.incidents().length).toBe(pagesBefore);
  const open = [
    "revisions where state = 'proposed'",
    'watches where ended_at is null',
    "outbox where state = 'pending'",
  ];
  for (const what of open) {
    expect(await company.rows(`select count(*)::int as n from ${what} and team_id = 'T0SANDBOX'`)).toEqual([
      { n: 0 },
    ]);
  }
  // Not even attempted.
  expect(posts()).toBe(refusedBefore);
  const asked = await south.command({ as: 'ben', channel: 'ops', text: 'help' });
  expect(asked.response).toContain('is not installed in this workspace');

  await north.command({ as: 'ben', channel: 'ops', text: 'jira.count project=OPS priority=P2' });
  await company.card(north, 'P2');
  expect(await company.install('T0SANDBOX')).toContain('is installed');
  await south.command({ as: 'ben', channel: 'ops', text: 'jira.count project=PAY priority=P3' });
  await company.card(south, 'P3');
  // Its schedule from the file is back too.
  const schedule = "select ended_at from watches where team_id = 'T0SANDBOX' and entry is not null";
  expect(await company.rows(schedule)).toEqual([{ ended_at: null }]);
});

const runsOf = "select outcome from runs where team_id = 'T0SANDBOX'";
const installation =
  "select token, closed_at is not null as closed from installations where team_id = 'T0SANDBOX'";

test('installed for a whole company it serves its workspaces and looks up their user groups', async () => {
  expect(await company.install('E2SANDBOX')).toContain('is installed');
  const { team, bot } = company.company.world;
  const payload = {
    ...{ command: '/plan', text: 'pagerduty.page service=checkout text="the basket is empty"' },
    ...{ team_id: team.id, enterprise_id: 'E2SANDBOX', is_enterprise_install: 'true', api_app_id: bot.appId },
    ...{ channel_id: 'C2OPS', user_id: 'U2BEN', trigger_id: '2.company', response_url: company.slack.url },
  };
  await company.company.deliver({ type: 'slash_commands', payload });
  const card = await company.card(company.company, 'the basket is empty');
  const click = { channel: card.channel, ts: card.ts, actionId: 'plan.approve' };
  await company.company.clickButton({ as: 'ana', ...click });
  await expect
    .poll(() => company.rows("select state, decided_by from revisions where team_id = 'E2SANDBOX'"), {
      timeout: 15_000,
    })
    .toEqual([{ state: 'approved', decided_by: 'U2ANA' }]);
});

test("the doctor looks for a company's user groups in each of its workspaces", async () => {
  const lines = async () => {
    const said: string[] = [];
    const out = (line: string) => void said.push(line.replace(/ +/g, ' '));
    await doctor([], { variables: { ...company.sandbox.env, ...company.env }, out, error: out });
    return said.filter((line) => line.includes('E2SANDBOX slack ids'));
  };
  expect(await lines()).toEqual([
    expect.stringMatching(/^ok E2SANDBOX slack ids all \d+ of countersign\.yml exist/),
  ]);
  const match = { path: '/api/usergroups.users.list' };
  const body = { ok: false, error: 'no_such_subteam' };
  const fault = company.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 200, match, body });
  expect(await lines()).toEqual([
    expect.stringMatching(
      /^wrong E2SANDBOX slack ids no user group S2SRE in any of its workspaces: its id starts with S/,
    ),
  ]);
  company.sandbox.faults.remove(fault);
});

test('a burst and a hanging Slack in one workspace do not delay the other', async () => {
  const match = { path: '/api/chat.postMessage' };
  const fault = company.southFaults.add({ vendor: 'slack', kind: 'hang', match });
  for (let nth = 0; nth < 24; nth += 1) {
    const text = `slack.post channel=incidents text="storm ${nth}"`;
    await company.south.command({ as: 'eva', channel: 'ops', text });
  }
  const waiting = () =>
    company.rows("select id from outbox where team_id = 'T0SANDBOX' and state = 'pending' offset 19");
  await expect.poll(waiting, { timeout: 15_000 }).not.toEqual([]);
  await company.north.command({ as: 'eva', channel: 'ops', text: 'jira.count project=WEB priority=P3' });
  await company.card(company.north, 'WEB');
  expect(await waiting()).not.toEqual([]);
  company.southFaults.remove(fault);
  await company.card(company.south, 'storm 23', 25_000);
});

test('a rejected token of one workspace is reported and does not affect the others', async () => {
  const body = { ok: false, error: 'invalid_auth' };
  const fault = company.southFaults.add({
    vendor: 'slack',
    kind: 'status',
    status: 200,
    match: { path: '/api/' },
    body,
  });
  await company.south.command({ as: 'ben', channel: 'ops', text: 'jira.count project=WEB priority=P4' });
  const slack = expect.stringMatching(
    /^ok, but Slack does not accept the token of T0SANDBOX: install the bot there again/,
  );
  await expect.poll(ready, { timeout: 15_000 }).toMatchObject({ ready: true, slack });
  await company.north.command({ as: 'ben', channel: 'ops', text: 'jira.count project=WEB priority=P4' });
  await company.card(company.north, 'P4');
  company.southFaults.remove(fault);
  await company.card(company.south, 'P4', 30_000);
  await expect.poll(ready, { timeout: 15_000 }).toMatchObject({ ready: true, slack: 'ok' });
});

test('two workspaces that page about one problem at once wake one person, and both texts are kept', async () => {
  const { south, north, sandbox } = company;
  const both = [south, north];
  const text = 'pagerduty.page service=checkout text="payments time out"';
  for (const slack of both) await slack.command({ as: 'ben', channel: 'ops', text });
  const cards = await Promise.all(both.map((slack) => company.card(slack, 'payments time out')));
  // Neither page exists yet when the other one looks for it.
  const sent = () => sandbox.journal.list({ vendor: 'pagerduty-events' }).length;
  const sentBefore = sent();
  const slow = sandbox.faults.add({ vendor: 'pagerduty-events', kind: 'delay' });
  await Promise.all(
    cards.map(({ channel, ts }, nth) =>
      both[nth]?.clickButton({ as: 'ana', channel, ts, actionId: 'plan.approve' }),
    ),
  );
  await company.soon(() => sent() === sentBefore + 2, 'both pages');
  sandbox.faults.remove(slow);
  const replies = () =>
    cards.map(({ ts }, nth) =>
      messagesOf(both[nth] ?? south, 'ops')
        .filter((one) => one.threadTs === ts && one.ts !== ts)
        .map(wordsOf)
        .join(' '),
    );
  await company.soon(() => replies().every((words) => words.includes('Done')), 'both reports', 30_000);
  const pages = sandbox.pagerduty.store
    .incidents()
    .filter(({ title }) => title.includes('payments time out'));
  expect(pages).toMatchObject([
    {
      triggers: 2,
      notified: [expect.anything()],
      notes: [
        {
          content: expect.stringMatching(
            /^payments time out\n\nRequested by @ben, approved by @ana\n\[cs-run-/,
          ),
        },
      ],
    },
  ]);
  const [paged, joined] = replies().toSorted((one) => (one.includes('was already open') ? 1 : -1));
  expect(paged).toMatch(/Done.*was paged/s);
  expect(joined).toMatch(
    /was already open \(triggered, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\), so a note was added instead of paging anyone/,
  );
});

test('tokens are encrypted anew under a new key, and without their key nobody is served', async () => {
  const before = await tokensOf();
  const newKey = 'another-key-for-tokens-of-more-than-thirty-two-characters';
  await company.restart({ TOKEN_KEY: `${newKey},${tokenKey}`, SLACK_CLIENT_SECRET: 'not-the-right-one' });
  expect(await company.install('T0SANDBOX')).toContain(
    'has to correct SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
  );
  const after = await tokensOf();
  expect(after.map(({ token }, nth) => token === before[nth]?.token)).toEqual([false, false, false]);
  await company.restart({ TOKEN_KEY: tokenKey });
  expect(company.bot.log().match(/is encrypted under a key that TOKEN_KEY does not have/g)).toHaveLength(3);
  const asked = await company.south.command({ as: 'ben', channel: 'ops', text: 'help' });
  expect(asked.response).toContain('does not work in this workspace now');
  expect(await ready()).toMatchObject({
    ready: true,
    slack: expect.stringMatching(/^ok, but .*The token of T0SANDBOX is encrypted under a key/),
  });
});
