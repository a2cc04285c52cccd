/** Why: a fix is not over when it was made. The deploy behind the errors is rolled back, and the errors say whether that helped. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { isLive: true, databaseServer: inject('postgresUrl') } });
});
afterAll(() => finish(workspace));

test('a supported cause offers the rollback, which is made under its condition, and the errors say that it helped', async () => {
  await workspace.plan('ben', 'why is checkout failing');
  const answer = await workspace.card(/Supported:\s+A deploy made the connection pool/);
  await workspace.click('ben', answer, 'cause.fix.0');
  const card = await workspace.reply(answer, /Roll back checkout/);
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

test('the review of an incident has the changes to its service while it was open', async () => {
  await workspace.plan('ben', 'pagerduty.page service=checkout text="Carts cannot be paid"');
  const page = await workspace.card('Carts cannot be paid');
  await workspace.click('chiara', page, 'plan.approve');
  await workspace.becomes(page, /Done/);
  await workspace.plan('ben', 'deploys.rollback service=checkout version=0.9');
  const rollback = await workspace.card(/version: 0\.9/);
  await workspace.click('chiara', rollback, 'plan.approve');
  await workspace.reply(rollback, /^(Failed|Partly)/);
  const paged = workspace.pages().find(({ title }) => title.includes('Carts cannot be paid'));
  await workspace.plan('ben', `review ${paged?.number}`);
  const review = wordsOf(await workspace.whisper('ben', /^Review of .*Carts cannot be paid/));
  expect(review).toMatch(/Roll back checkout.*is gone/s);
});

test.each([
  'roll back checkout if the errors started after the last deploy',
  'roll back checkout when the p95 is over 2s',
  'roll back checkout only if nobody has acked #1',
  'rollback chekout to the previous verison now!!',
])('asks about “%s”, of which a condition or the service is not understood', async (goal) => {
  const said = () => workspace.messages('ops').filter((message) => wordsOf(message).includes(goal));
  await workspace.plan('ben', goal);
  const asks = /I can do “Roll back a service”, but I did not understand all of this/;
  await workspace.until(() => said().some((message) => asks.test(wordsOf(message))), 'a question');
  for (const { blocks } of said()) expect(actionsOf(blocks)).not.toContain('plan.approve');
});

test.each([
  ['roll back checkout to version 2026.11.1', '2026.11.1'],
  ['roll back checkout to version canary', 'canary'],
])('“%s” names the version', async (goal, version) => {
  await workspace.plan('ben', goal);
  const card = await workspace.card(new RegExp(`Roll back checkout.*version: ${version}`, 's'));
  await workspace.click('ben', card, 'plan.reject');
});
