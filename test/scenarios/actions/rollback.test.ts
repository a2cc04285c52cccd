/** Why: a fix is not over when it was made. The deploy behind the errors is rolled back, and the errors say whether that helped. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { isLive: true, databaseServer: inject('postgresUrl') } });
});
afterAll(() => finish(workspace));

test('a supported cause offers the rollback, which is made under its condition, and the errors say that it helped', async () => {
  await workspace.plan('ben', 'why is checkout failing');
  const answer = await workspace.card(/Supported:\s+A deploy made the connection pool/);
  await workspace.click('ben', answer, 'cause.fix.0');
  const card = await workspace.reply(answer, /Roll back a service/);
  expect(wordsOf(card)).toMatch(/only if.*connection pool exhausted.*more than 20/s);
  expect(wordsOf(card)).toMatch(/2\d\d errors of checkout in the last hour/);
  expect(wordsOf(card)).toContain('checked for up to 3 minutes');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  const told = wordsOf(await workspace.reply(answer, /^Helped/, 100_000));
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
