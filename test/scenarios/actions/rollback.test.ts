/** Why: a fix is not over when it was made. The deploy behind the errors is rolled back, and the errors say whether that helped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { isLive: true } });
});
afterAll(() => finish(workspace));

test('rolls back checkout, and says with the errors of the last minute that it helped', async () => {
  await workspace.plan('ben', 'roll back checkout');
  const card = await workspace.card(/Roll back a service/);
  expect(wordsOf(card)).toMatch(/2\d\d errors of checkout in the last hour/);
  expect(wordsOf(card)).toContain('checked for up to 3 minutes');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const told = wordsOf(await workspace.reply(card, /^Helped/, 100_000));
  expect(told).toMatch(/Before: Splunk: 2\d\d errors.*; after: Splunk: \d errors/s);
}, 120_000);

test('a second rollback, and one to a version that is gone, are refused in plain words', async () => {
  await workspace.plan('ben', 'deploys.rollback service=checkout version=2026.11.2');
  const again = await workspace.card(/version: 2026\.11\.2/);
  await workspace.click('chiara', again, 'plan.approve');
  expect(wordsOf(await workspace.reply(again, /^(Failed|Partly)/))).toContain('running already');
  await workspace.plan('ben', 'deploys.rollback service=checkout version=1.0');
  const gone = await workspace.card(/version: 1\.0/);
  await workspace.click('chiara', gone, 'plan.approve');
  expect(wordsOf(await workspace.reply(gone, /^(Failed|Partly)/))).toContain('is gone');
});
