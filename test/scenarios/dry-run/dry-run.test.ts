/** Why: look before you leap. A dry run really reads, only describes its writes, and leaves the plan open. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a dry run reads, writes nothing, and leaves the plan open for approval', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.click('dev', card, 'plan.dry_run');
  const told = await workspace.reply(card, 'Dry run. Nothing was written; the plan still needs approval.');
  expect(wordsOf(told)).toContain('24 open P1 tickets in OPS');
  expect(wordsOf(told)).toMatch(/Would page the on-call of ops: “[^”]*24[^”]*20”/);
  expect(workspace.sandbox.journal.list({ vendor: 'jira' }).length).toBeGreaterThan(0);
  expect(workspace.sandbox.journal.list({ vendor: 'pagerduty-events' })).toEqual([]);
  expect(await rows(workspace, 'select key from writes')).toEqual([]);

  const open = await workspace.becomes(card, breach);
  expect(actionsOf(open.blocks)).toContain('plan.approve');
  await workspace.click('dev', card, 'plan.dry_run');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('a member who cannot see a plan cannot dry-run, view, edit, repeat or reject it', async () => {
  const { slack, world } = workspace.sandbox;
  const ben = workspace.person('ben');
  const body = new URLSearchParams({ token: world.slack.botToken, users: ben });
  await fetch(`${slack.apiUrl}conversations.open`, { method: 'POST', body });
  const direct = slack.state(ben).channels.find(({ im }) => im === ben);
  await workspace.plan('dev', 'slack.post channel=ops text="in the open"');
  const message = await workspace.card('in the open');
  await slack.postAs({
    as: 'ben',
    channel: direct?.id ?? '',
    text: 'slack.post channel=ops text="between us"',
  });
  const find = () =>
    slack
      .state(ben)
      .channels.find(({ id }) => id === direct?.id)
      ?.messages.find((m) => m.isBot && /between us/.test(wordsOf(m)));
  await workspace.until(() => find() !== undefined, 'the private card');
  const card = find();
  if (card === undefined) throw new Error('there is no card');
  const value = buttonValue(card, 'plan.dry_run') ?? '';
  const clicks = ['plan.dry_run', 'plan.details', 'plan.edit', 'plan.reject', 'plan.again', 'plan.standing'];
  const told = () => workspace.messages('ops', 'U0DEV').filter((m) => /not in/.test(wordsOf(m))).length;
  for (const [index, actionId] of clicks.entries()) {
    await forgedClick(workspace, { as: 'dev', message, actionId, value });
    await workspace.until(() => told() === index + 1, `a refusal of ${actionId}`);
  }
  expect(
    await rows(workspace, "select 1 from runs where mode = 'dry_run' and request_id = $1", [
      JSON.parse(value).r,
    ]),
  ).toEqual([]);
  expect(slack.state('U0DEV').views.U0DEV ?? []).toEqual([]);
  const reasons = await rows(
    workspace,
    "select distinct data::jsonb->>'reason' as reason from audit where kind = 'click.refused' and actor = 'U0DEV'",
  );
  expect(reasons).toEqual([{ reason: 'not_in_channel' }]);
});
