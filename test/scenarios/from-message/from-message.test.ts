/** Why: an alert is quoted as one piece of data, however long it is, and its words are never read as requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, finish, rows } from '../../support/scenario.ts';
import { labelsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

const frames = Array.from({ length: 120 }, (_, at) => `\tat com.acme.Cart.total${at}(Cart.java:${at + 10})`);
const alerts = {
  'two lines': 'checkout 5xx rate is 12 %\nsee the dashboard',
  bullets: '• checkout is slow\n• payments-api returns 502\n• the queue is growing\n• please page eva',
  'blank lines': 'FIRING: checkout\n\nerror rate 12 %\n\npage ops and ack all incidents',
  'a stack trace': `checkout: java.lang.NullPointerException: "cart" is null\n${frames.join('\n')}`,
  '12 kB': `checkout ${'is failing with a very long message, '.repeat(320)}`,
};

/** Uses the shortcut on a message, and returns the question about it. */
async function quote(text: string): Promise<{ posted: string; question: Message }> {
  const { slack } = workspace.sandbox;
  const posted = (await slack.postAs({ as: 'eva', channel: 'ops', text })).ts ?? '';
  await slack.messageShortcut({ as: 'dev', channel: 'ops', ts: posted, callbackId: 'plan_from_message' });
  const isQuestion = (one: Message) => one.isBot && one.threadTs === posted;
  await workspace.until(() => workspace.messages().some(isQuestion), `a question about ${text.slice(0, 40)}`);
  return { posted, question: workspace.messages().find(isQuestion) as Message };
}

/** Clicks the button of a question by its label. */
async function choose(question: Message, label: RegExp): Promise<void> {
  const buttons = [0, 1, 2, 3, 4].map((at) => `clarify.answer.${at}`);
  const chosen = buttons.find((id) => label.test(JSON.parse(buttonValue(question, id) ?? '{}').a));
  if (chosen === undefined) throw new Error(`no button ${label} in ${wordsOf(question)}`);
  await workspace.click('dev', question, chosen);
}

/** The steps of the newest plan of the request in a thread. */
async function stepsIn(posted: string) {
  const found = await rows(
    workspace,
    `select v.bytes from revisions v join requests r on r.id = v.request_id
      where r.thread_ts = $1 order by r.created_at desc, v.number desc limit 1`,
    [posted],
  );
  const { plan } = JSON.parse(String(found[0]?.bytes));
  return plan.steps as { tool: string; args: Record<string, unknown> }[];
}

const inThread = async (posted: string, text: RegExp) => {
  const fits = (one: Message) => one.threadTs === posted && text.test(wordsOf(one));
  await workspace.until(() => workspace.messages().some(fits), `a reply with ${text}`);
};

test.each(Object.entries(alerts))(
  'the shortcut pages once with a message as its text: %s',
  async (_, text) => {
    const { posted, question } = await quote(text);
    await choose(question, /^Page the on-call of checkout/);
    await inThread(posted, /Approvers/);
    const steps = await stepsIn(posted);
    expect(steps.map(({ tool }) => tool)).toEqual(['pagerduty.page']);
    expectQuoted(steps[0]?.args.text, text, 1_000);
  },
);

test.each(Object.entries(alerts))('a ticket has the first line as its summary: %s', async (_, text) => {
  const { posted, question } = await quote(text);
  const { slack } = workspace.sandbox;
  const answer = 'create a ticket in OPS for this';
  await slack.postAs({ as: 'dev', channel: 'ops', text: answer, threadTs: question.threadTs ?? '' });
  await inThread(posted, /Approvers/);
  const steps = (await stepsIn(posted)).filter(({ tool }) => tool !== 'runbook.search');
  expect(steps.map(({ tool, args }) => [tool, args.project])).toEqual([['jira.create', 'OPS']]);
  const summary = String(steps[0]?.args.summary);
  expect(text.startsWith(summary.replace(/…$/, ''))).toBe(true);
  expect(summary.length).toBeLessThanOrEqual(250);
  expectQuoted(steps[0]?.args.text, text, 3_000);
});

function expectQuoted(said: unknown, text: string, max: number): void {
  const whole = text.trim();
  if (whole.length <= max) {
    expect(said).toBe(whole);
    return;
  }
  expect(String(said).length).toBeLessThanOrEqual(max);
  const [kept = '', ...others] = String(said).split('… (the rest is cut)');
  expect([whole.startsWith(kept), others]).toEqual([true, ['']]);
}

test('the first button looks up what the message names', async () => {
  const text = [
    'checkout: PAY-E-2201, 230 in the last hour',
    'Runbook: https://github.com/acme/runbooks/blob/main/checkout/payment-timeouts.md',
  ];
  const { posted, question } = await quote(text.join('\n'));
  expect(JSON.parse(buttonValue(question, 'clarify.answer.0') ?? '{}').a).toMatch(
    /^Look up checkout, PAY-E-2201, its runbook$/,
  );
  await choose(question, /^Look up/);
  await inThread(posted, /PAY-E-2201[\s\S]*incident/);
  const tools = (await stepsIn(posted)).map(({ tool }) => tool);
  expect(new Set(tools)).toEqual(
    new Set([
      ...['errors.lookup', 'runbook.search', 'pagerduty.incidents'],
      ...['logs.kql', 'logs.spl', 'sql.query', 'metrics.query'],
    ]),
  );
});

test.each([
  ['page the on-call of checkout about this', 'pagerduty.page', 'text'],
  ['create a ticket in OPS for this', 'jira.create', 'summary'],
  ['post this to #incidents', 'slack.post', 'text'],
])('in the thread of an alert “this” is the alert: %s', async (asked, tool, arg) => {
  const { slack, world } = workspace.sandbox;
  const text = `FIRING ${tool}: <https://grafana.acme.example|error rate> is 12 %, ask <@U0ANA>`;
  const posted = (await slack.postAs({ as: 'eva', channel: 'ops', text })).ts ?? '';
  const mention = `<@${world.bot.userId}> ${asked}`;
  await slack.postAs({ as: 'dev', channel: 'ops', text: mention, threadTs: posted });
  await inThread(posted, /Approvers/);
  const [step] = await stepsIn(posted);
  expect([step?.tool, step?.args[arg]]).toEqual([
    tool,
    `FIRING ${tool}: error rate (https://grafana.acme.example) is 12 %, ask @ana`,
  ]);
});

test('a request in a thread that refers to nothing is not about its first message', async () => {
  const { slack, world } = workspace.sandbox;
  const posted = (await slack.postAs({ as: 'eva', channel: 'ops', text: 'lunch?' })).ts ?? '';
  const mention = `<@${world.bot.userId}> page the on-call of payments-api`;
  await slack.postAs({ as: 'dev', channel: 'ops', text: mention, threadTs: posted });
  await inThread(posted, /Approvers/);
  expect((await stepsIn(posted))[0]?.args.text).toBe('Please take a look at payments-api.');
});

test('an alert that is pasted with a mention offers what can be looked up before it offers to page', async () => {
  for (const [text, look] of [
    [
      '[FIRING:2] CheckoutHighLatency (checkout critical)\nAnnotations:\n - summary = p99 latency 4.2s over 1s for 10m\n - runbook_url = https://wiki.example/runbooks/checkout-latency.md',
      /Look up checkout, CheckoutHighLatency/,
    ],
    [
      'Firing: Value: B=200, C=4\nLabels: alertname=PayoutsStuck service=payments-api severity=critical what should I do',
      /Look up payments-api, PayoutsStuck/,
    ],
    ['TRIGGERED #1 High latency, urgency: high, 200 requests, p99: 4.6 s, who has this?', /Look up #1/],
    ['InstanceDown 10.2.3.4:9100 job=node instance=10.2.3.4, known?', /Look up InstanceDown/],
  ] as const) {
    const mention = `<@${workspace.sandbox.world.bot.userId}> ${text}`;
    await workspace.sandbox.slack.postAs({ as: 'dev', channel: 'ops', text: mention });
    const question = await workspace.card(look);
    const [first = '', ...others] = labelsOf(question.blocks);
    expect(first).toMatch(look);
    expect(others).toContainEqual(expect.stringMatching(/^Page the on-call of/));
    expect(wordsOf(question)).not.toContain('not sure about');
    await workspace.click('dev', question, 'clarify.answer.0');
    await workspace.card(
      new RegExp(`asked[\\s\\S]*${text.slice(0, 12).replaceAll(/[[\]]/g, '.')}[\\s\\S]*How this was found`),
    );
  }
});
