/** Why: look before you leap. A dry run really reads, only describes its writes, and leaves the plan open. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a dry run reads, writes nothing, and the plan can still be approved', async () => {
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
