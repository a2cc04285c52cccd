/** Why: a vendor with a small quota is never asked more than the operator allows, and waiting for it fails nothing. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ limits: { calls_at_once: { jira: 2 } } }) });
});
afterAll(() => finish(workspace));

const priorities = ['P1', 'P2', 'P3', 'P4'];
const counts = priorities.map((priority) => `jira.count project=PAY priority=${priority}`).join('\n');
const asked = (vendor: 'jira' | 'pagerduty-rest', after: number) =>
  workspace.sandbox.journal.list({ vendor, after }).filter(({ path }) => path.includes('search')).length;
const last = () => workspace.sandbox.journal.list({}).at(-1)?.id ?? 0;

/** Four counts while Jira answers nothing: how many calls it gets until PagerDuty has answered somebody else. */
async function callsOfAHangingJira(): Promise<number> {
  const { faults } = workspace.sandbox;
  const before = last();
  faults.add({ vendor: 'jira', kind: 'delay' });
  await workspace.plan('ben', counts);
  await workspace.until(() => asked('jira', before) > 0, 'the first call');
  await workspace.plan('dev', 'pagerduty.incidents service=checkout');
  await workspace.card('checkout');
  const calls = asked('jira', before);
  faults.clear();
  const card = await workspace.card(/P1[\s\S]*P4/);
  await workspace.until(() => !wordsOf(card).includes('not'), 'all counts');
  await workspace.until(() => asked('jira', before) === priorities.length, 'the calls that waited');
  return calls;
}

test('further calls to a hanging Jira wait for their turn, and those to PagerDuty do not', async () => {
  expect(await callsOfAHangingJira()).toBe(2);
});

test('a changed limit holds without a restart', async () => {
  const { COUNTERSIGN_CONFIG = '' } = workspace.env;
  await writeFile(COUNTERSIGN_CONFIG, configWith({ limits: { calls_at_once: { jira: 3 } } }));
  await workspace.until(
    () => workspace.bot.log().includes('The changed settings are taken over'),
    'the reload',
  );
  expect(await callsOfAHangingJira()).toBe(3);
});

test('a run has no more steps under way than the operator allows', async () => {
  const { COUNTERSIGN_CONFIG = '' } = workspace.env;
  await writeFile(COUNTERSIGN_CONFIG, configWith({ limits: { steps_at_once: 1 } }));
  const taken = () => workspace.bot.log().split('The changed settings are taken over').length - 1;
  await workspace.until(() => taken() === 2, 'the reload');
  expect(await callsOfAHangingJira()).toBe(1);
});
