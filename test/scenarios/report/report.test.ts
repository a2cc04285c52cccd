/** Why: people steer by how often plans are right, and by what goes wrong when they are not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../support/cli.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

/** Ten minutes ago, once a week: it is due when the test says so. */
const tick = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 10 * 60_000);
const cron = `${tick.getUTCMinutes()} ${tick.getUTCHours()} * * ${tick.getUTCDay()}`;

let workspace: Workspace;
beforeAll(async () => {
  const schedules = [{ name: 'figures', cron, timezone: 'UTC', goal: 'report', channel: 'incidents' }];
  workspace = await Workspace.start({ config: configWith({ rules: [{ approvers: ['U0ANA'] }], schedules }) });
});
afterAll(() => finish(workspace));

async function edit(card: Message, text: string): Promise<Message> {
  await workspace.click('ben', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('ben');
  await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values: { plan_text: { v: text } } });
  return workspace.card(/Changed[\s\S]*urgency/);
}

async function reject(card: Message, reason: string): Promise<void> {
  await workspace.click('ana', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { reason: { v: reason } } });
  await workspace.becomes(card, 'Rejected');
}

const page = (text: string) => `page ops: ${text}`;

beforeAll(async () => {
  await workspace.plan('ben', 'how many open P1 tickets are in OPS');
  await workspace.card(/24 open P1 tickets in OPS/);
  await workspace.plan('ben', page('the disk is full'));
  const first = await workspace.card(/disk is full/);
  const edited = await edit(first, 'pagerduty.page service=ops text="the disk is full" urgency=low');
  await workspace.click('ana', edited, 'plan.approve');
  await workspace.becomes(edited, /finished/i);
  workspace.resolvePages();
  await workspace.plan('ben', page('the queue is long'));
  await reject(await workspace.card(/queue is long/), 'Not before the holidays');
  await rows(workspace, "update requests set channel = 'D0BEN' where goal like '%queue%'");
  workspace.sandbox.faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 400 });
  await workspace.plan('ben', page('mail is late'));
  const failing = await workspace.card(/mail is late/);
  await workspace.click('ana', failing, 'plan.approve');
  await workspace.becomes(failing, /Failed/);
  workspace.sandbox.faults.clear();
});

async function report(...args: string[]): Promise<{ code: number; text: string }> {
  return cli(['report', ...args], { env: workspace.env });
}

test('counts plans that were right at once, edited and rejected, with the changes and the reasons', async () => {
  const { code, text } = await report();
  expect(code).toBe(0);
  expect(text).toMatch(/^Requests +4, 4 with a plan of their own$/m);
  expect(text).toMatch(/^Right without an edit +2 of 4 \(50 %\)$/m);
  expect(text).toMatch(/^Edited +1 of 4 \(25 %\)\n {2}1× urgency of pagerduty\.page$/m);
  expect(text).toMatch(/^Rejected +1 of 4 \(25 %\)\n {2}1× Not before the holidays$/m);
});

test('a plan that was right but whose run failed is no success', async () => {
  expect((await report()).text).toMatch(/^Success without help +1 of 4 \(25 %\)$/m);
});

test('failed steps are counted by tool, and writes by run', async () => {
  const { text } = await report();
  expect(text).toMatch(/^Steps that failed .*\n {2}pagerduty\.page: 1 of 2 \(\w+\)$/m);
  expect(text).toMatch(/^Writes per run +0\.5 \(1 in 2 runs\)$/m);
});

test('--json has times since the request, and figures by planner and channel', async () => {
  const { plans, to, byPlanner, byChannel, steps } = JSON.parse((await report('--json')).text);
  expect(plans).toMatchObject({ planned: 4, right: 2, unaided: 1, edited: 1, rejected: 1, expired: 0 });
  expect([to.evidence.count, to.decision.count, to.result.count]).toEqual([2, 3, 3]);
  expect(to.result.p95).toBeGreaterThanOrEqual(to.result.median);
  expect(byPlanner).toEqual({ offline: plans });
  expect(byChannel).toMatchObject({
    '#ops': { planned: 3, rejected: 0 },
    'direct messages': { planned: 1, rejected: 1 },
  });
  expect(steps).toContainEqual(expect.objectContaining({ tool: 'pagerduty.page', ran: 2, failed: 1 }));
});

test('--since leaves out older requests', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await report('--since', tomorrow)).text).toMatch(/^Requests +0, 0 with a plan of their own$/m);
  expect(await report('--since', 'soon')).toMatchObject({
    code: 2,
    text: expect.stringContaining('not a date'),
  });
});

test('a schedule posts it, without the words of private conversations', async () => {
  await rows(workspace, "update watches set next_at = $1 where id = 'figures'", [tick]);
  const words = wordsOf(await workspace.card(/Report, since.*2 of 4/s, 'incidents'));
  expect(words).toMatch(/Right without an edit:\s+2 of 4 \(50 %\)/);
  expect(words).toMatch(/Rejected:\s+1 of 4/);
  expect(words).toContain('private channels');
  expect(words).not.toContain('holidays');
});

test('a person gets it in the channel for as many days as wanted', async () => {
  await workspace.plan('eva', 'report 30 days', 'ops');
  expect(wordsOf(await workspace.card('Report, since', 'ops'))).toMatch(/urgency of pagerduty\.page/);
});
