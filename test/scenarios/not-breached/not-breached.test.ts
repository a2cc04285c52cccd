/** Why: when all is well nobody is woken, and the thread says so instead of being silent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('within the SLA nobody is paged, and the last line says why', async () => {
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 18);
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.click('ana', card, 'plan.approve');
  const final = await workspace.reply(card, /^Done/);
  expect(wordsOf(final)).toContain('about 18 open P1 tickets in OPS; the SLA allows 20; nobody was paged');
  expect(wordsOf(final)).toMatch(/because this does not hold:.*18.*20/s);
  const skipped = await workspace.reply(card, 'Skipped:');
  expect(wordsOf(skipped)).toContain('Not needed: its condition does not hold');
  await workspace.becomes(card, 'finished');
  expect(workspace.sandbox.journal.list({ vendor: 'pagerduty-events' })).toEqual([]);
  expect(workspace.pages()).toEqual([]);
});

test('an exact hit is no breach', async () => {
  const { store } = workspace.sandbox.jira;
  const reporter = store.users[0];
  if (reporter === undefined) throw new Error('the local Jira has no people');
  for (const summary of ['one more', 'and another']) {
    store.create({ project: 'OPS', priority: 'P1', summary, reporter });
  }
  const goal = 'if OPS has more than 20 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toContain('nobody was paged');
  expect(workspace.pages()).toEqual([]);
});
