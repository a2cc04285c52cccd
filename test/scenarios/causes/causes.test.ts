/** Why: in an incident people ask what is going on and why. Evidence comes by rules, and code settles each cause. */
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { buttonValue, finish, forgedClick, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const service = { services: ['checkout'] };
  const causes = [
    {
      ...{
        id: 'page-somebody',
        sentence: 'An incident of checkout is open, and somebody has to look.',
        ...service,
      },
      check: 'open = pagerduty.incidents service={service} status=open\nsupported when open.total > 0',
      fix: {
        playbook: 'incident-kick-off',
        inputs: { what: 'Checkout needs a person', channel: '#incidents' },
      },
      runbook: 'https://acme.example/runbooks/checkout',
    },
    {
      ...{ id: 'many-tickets', sentence: 'Too many P1 tickets are open.', ...service },
      check:
        'tickets = jira.count project={project} priority=P1 status=open\nsupported when tickets.total > 1000',
    },
    {
      ...{ id: 'orders-fail', sentence: 'Orders of every service fail.' },
      check: 'failed = sql.query named=failed-orders window=PT1H\nsupported when failed.total > 5',
    },
  ];
  const rules = [
    { name: 'shop', match: { team: 'shop' }, service: { label: 'service' }, channel: 'ops', priority: 'P1' },
  ];
  workspace = await Workspace.start({
    config: alertsConfig(rules, { causes }),
    sandbox: { databaseServer: inject('postgresUrl') },
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

async function ask(question: string, words: string | RegExp, channel = 'incidents'): Promise<Message> {
  await workspace.plan('dev', question, channel);
  const answer = await workspace.card(words, channel);
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  return answer;
}

test.each([
  ['status of checkout', 'incidents'],
  ["what's going on with checkout", 'general'],
  ['is checkout down', 'payments-alerts'],
  ['triage checkout', 'ops'],
])('“%s” looks up everything that says so, a line for each', async (question, channel) => {
  const said = wordsOf(await ask(question, 'Status of checkout', channel));
  for (const fact of [
    '1 open PagerDuty incident of checkout',
    '230 errors',
    'pool.max 40 → 8',
    'is on call for checkout',
  ])
    expect(said).toContain(fact);
  expect(said).toMatch(/1 open P1 ticket in WEB.*WEB-1/s);
  expect(said).toMatch(/Alerts:\s+none is firing/);
  expect(said).not.toMatch(/Supported|Refuted/);
});

test('asked why, code settles each cause by its own numbers, supported ones first', async () => {
  const answer = await ask('why is checkout failing', 'Investigate checkout');
  const said = wordsOf(answer);
  expect(said).toContain('Investigate checkout: 3 causes supported, 2 refuted');
  expect(said).toMatch(
    /✓ Supported:\s+An incident of checkout is open.*1 open PagerDuty incident.*✗ Refuted/s,
  );
  expect(said).toMatch(
    /✗ Refuted:\s+Too many P1 tickets are open.\s+1 open P1 ticket in WEB: not more than 1000/,
  );
  expect(said).toMatch(/connection pool of checkout too small.*214 > 20 and 1 > 0/s);
  expect(JSON.stringify(answer.blocks)).toContain('https://acme.example/runbooks/checkout');
  const [stored] = await rows(
    workspace,
    "select bytes as plan from revisions where state = 'answered' order by created_at desc limit 1",
  );
  expect(String(stored?.plan)).toContain('"id":"pool-too-small"');
});

test('a source that is down leaves its cause unchecked, never refuted', async () => {
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 503 });
  workspace.sandbox.faults.add({ vendor: 'azure', kind: 'status', status: 503 });
  const said = wordsOf(await ask('investigate checkout', /Investigate checkout.*not checked/));
  expect(said).toContain('2 causes supported, 3 not checked');
  expect(said).toMatch(/\? Not checked:\s+Too many P1 tickets are open.\s+Count .*Jira/s);
  expect(said).toMatch(/Could not be looked up:.*P1 tickets in WEB/s);
  expect(said).not.toContain('Refuted');
});

test('an incident is investigated by its service, and a service without causes says where to write them', async () => {
  const incident = wordsOf(await ask('investigate #1', /Investigate checkout.*investigate #1/s));
  expect(incident).toContain('supported');
  const other = wordsOf(await ask('why is payments-api slow', 'Investigate payments-api'));
  expect(other).toMatch(/on call for payments-api/);
  expect(other).toMatch(/✓ Supported:\s+Orders of every service fail/);
});

test('an alert arrives with the causes of its service, and offers the fix', async () => {
  const body = alertmanager([{ labels: { alertname: 'SlowCheckout', team: 'shop', service: 'checkout' } }]);
  expect(await deliver(workspace, body)).toBe(202);
  const alert = await workspace.card(/Firing: SlowCheckout.*✓ Supported.*✗ Refuted/s, 'ops');
  expect(wordsOf(alert)).toMatch(/Supported:\s+An incident of checkout is open.*1 open PagerDuty incident/s);
  expect(actionsOf(alert.blocks)).toEqual(['alert.ack', 'alert.fix.0', 'alert.fix.1']);
  const value = String(buttonValue(alert, 'alert.fix.0'));
  const forged = { as: 'dev', message: alert, actionId: 'alert.fix.0' };
  await forgedClick(workspace, { ...forged, value: value.replace('page-somebody', 'many-tickets') });
  await workspace.whisper('dev', /That button is out of date/);
  await workspace.click('dev', alert, 'alert.fix.0');
  const card = await workspace.reply(alert, /Proposed for this cause/);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  const status = await ask('how is checkout doing', /SlowCheckout.*how is checkout doing/s);
  expect(wordsOf(status)).toMatch(/Alerts:\s+SlowCheckout\s+· firing since/);
  expect(wordsOf(status)).toMatch(/Plans:\s+Waiting.*Open a P1 in WEB, page checkout/s);
  await workspace.sandbox.slack.postAs({ as: 'chiara', channel: 'ops', text: 'reject', threadTs: card.ts });
  await workspace.becomes(card, /Rejected/);
  const catchUp = (threadTs: string | undefined) =>
    workspace.sandbox.slack.postAs({
      ...{ as: 'eva', channel: 'ops', text: '<@U0COUNTER> catch me up' },
      ...(threadTs === undefined ? {} : { threadTs }),
    });
  await catchUp(alert.ts);
  const told = wordsOf(await workspace.whisper('eva', /SlowCheckout\s+fires since/));
  expect(told).toMatch(/Rejected.*by.*Open a P1 in WEB, page checkout.*asked by/s);
  await catchUp(undefined);
  await workspace.whisper('eva', /Ask that in a thread/);
});

async function directOfBen(): Promise<string> {
  const { slack, world } = workspace.sandbox;
  const ben = workspace.person('ben');
  const body = new URLSearchParams({ token: world.slack.botToken, users: ben });
  await fetch(`${slack.apiUrl}conversations.open`, { method: 'POST', body });
  return slack.state(ben).channels.find(({ im }) => im === ben)?.id ?? '';
}

function inDirect(words: RegExp) {
  const ben = workspace.person('ben');
  return workspace.sandbox.slack
    .state(ben)
    .channels.find(({ im }) => im === ben)
    ?.messages.findLast((one) => one.isBot && words.test(JSON.stringify(one.blocks)));
}

test('a plan of a direct message, under way or done, is not shown elsewhere', async () => {
  const { slack } = workspace.sandbox;
  const direct = await directOfBen();
  await slack.postAs({
    as: 'ben',
    channel: direct,
    text: 'pagerduty.page service=payments-api text="Orders fail: a private word"',
  });
  await workspace.until(() => inDirect(/plan\.approve/) !== undefined, 'a card in the direct message');
  const said = wordsOf(await ask('is payments-api down', 'Status of payments-api'));
  expect(said).toMatch(/Plans:\s+none is under way/);
  expect(said).not.toContain('private');
  await workspace.click('ben', { ...inDirect(/plan\.approve/), channel: direct } as Message, 'plan.approve');
  await workspace.until(() => inDirect(/Done/) !== undefined, 'the page');
  await slack.postAs({ as: 'ben', channel: direct, text: 'why is payments-api failing' });
  await workspace.until(() => inDirect(/Like this before/) !== undefined, 'the same in the direct message');
  const elsewhere = await ask('why is payments-api unstable', /payments-api unstable/);
  expect(wordsOf(elsewhere)).toMatch(/Supported:\s+Orders of every service fail/);
  expect(wordsOf(elsewhere)).not.toContain('Like this before');
  workspace.resolvePages();
  const afterwards = wordsOf(await ask('why is payments-api broken', /payments-api broken/));
  expect(afterwards).not.toContain('a private word');
});

test('the fix of a cause is a card like any other, and writes only while its cause is supported', async () => {
  const asked = (question: string) => ask(question, new RegExp(`Investigate checkout.*${question}`, 's'));
  const propose = async (answer: Message): Promise<Message> => {
    await workspace.click('dev', answer, 'cause.fix.0');
    return workspace.reply(answer, /Proposed for this cause/);
  };
  const before = await asked('why is checkout down');
  expect(wordsOf(before)).not.toMatch(/Like this before:\s+Done/);
  expect(wordsOf(before)).toMatch(/Incident review 2026-08.*WEB-10 Checkout is slow/s);
  const first = await propose(before);
  const pages = workspace.pages().length;
  expect(wordsOf(first)).toMatch(/only if.*open PagerDuty incidents of checkout/s);
  await workspace.click('chiara', first, 'plan.approve');
  await workspace.becomes(first, /Done/);
  expect(workspace.pages()).toHaveLength(pages + 1);
  expect(workspace.pages().at(-1)?.title).toContain('Checkout needs a person');
  const later = await asked('why is checkout broken');
  expect(wordsOf(later)).toMatch(/Like this before:\s+Done.*Open a P1 in WEB, page checkout/s);
  await workspace.click('dev', later, 'plan.same.0');
  const same = await workspace.reply(later, /The same as plan .*needs its own approval/);
  expect(actionsOf(same.blocks)).toContain('plan.approve');
  expect(wordsOf(same)).toMatch(/only if/);
  await workspace.sandbox.slack.postAs({
    as: 'chiara',
    channel: 'incidents',
    text: 'reject',
    threadTs: same.ts,
  });
  await workspace.becomes(same, /Rejected/);
  const second = await propose(later);
  // The support of the cause is over before anybody approves.
  const { store } = workspace.sandbox.pagerduty;
  for (const one of store.incidents())
    if (one.status !== 'resolved') store.setStatus(one, 'resolved', 'PANA01');
  await workspace.click('chiara', second, 'plan.approve');
  await workspace.becomes(second, /Done/);
  expect(workspace.pages()).toHaveLength(pages + 1);
});

test('below a page stands what is like it before, once, with the way to do the same', async () => {
  const { slack } = workspace.sandbox;
  const direct = await directOfBen();
  const page = (text: string) => `pagerduty.page service=payments-api text="${text}"`;
  const inThread = ({ ts, channel }: Message) =>
    workspace
      .messages(channel)
      .filter((one) => one.threadTs === ts)
      .map(wordsOf);
  const run = async (notation: string, words: RegExp): Promise<Message> => {
    workspace.resolvePages();
    await workspace.plan('dev', notation, 'incidents');
    const card = await workspace.card(words, 'incidents');
    await workspace.click('chiara', card, 'plan.approve');
    await workspace.becomes(card, /Done/);
    await workspace.until(() => workspace.pages().at(-1)?.status === 'triggered', 'the page');
    const { id } = workspace.pages().at(-1) ?? {};
    const sql = `select count(*)::int as n from incidents where id = '${id}' and life is not null`;
    await until(async () => (await rows(workspace, sql))[0]?.n === 1);
    return card;
  };
  const also = 'slack.post channel=#ops text="flushed the queue"';
  await slack.postAs({
    as: 'ben',
    channel: direct,
    text: `${page('PAY-E-77 queue of orders hangs')}; ${also}`,
  });
  await workspace.until(
    () => inDirect(/PAY-E-77.*plan\.approve/s) !== undefined,
    'a card in the direct message',
  );
  await workspace.click('ben', { ...inDirect(/plan\.approve/), channel: direct } as Message, 'plan.approve');
  await workspace.until(() => inDirect(/Done.*PAY-E-77/s) !== undefined, 'the page');
  const first = await run(
    `${page('PAY-E-77 queue of orders is stuck')}; slack.post channel=#general text="queue: flushed"`,
    /PAY-E-77 queue of orders is stuck/,
  );
  await run(page('PAY-E-77 again and again'), /PAY-E-77 again and again/);
  const third = await run(page('PAY-E-77 is back'), /PAY-E-77 is back/);
  const like = await workspace.reply(third, /Like this before/);
  const said = wordsOf(like);
  expect(said).toMatch(/Done.*Page the on-call of payments-api, post to #general.*same code/s);
  expect(said).toMatch(/#\d+ .*PAY-E-77 queue of orders is stuck.* same code.*over after/s);
  expect(said).not.toMatch(/hangs/);
  expect(inThread(first).join()).not.toContain('Like this before');
  await workspace.click('dev', like, 'plan.same.0');
  const same = await workspace.reply(third, /The same as plan .*needs its own approval/);
  expect(actionsOf(same.blocks)).toContain('plan.approve');
  const unlike = await run('pagerduty.page service=ops text="the lift is noisy"', /the lift is noisy/);
  expect(inThread(unlike).join()).not.toContain('Like this before');
  expect(inThread(third).filter((one) => one.includes('Like this before'))).toHaveLength(1);
});
