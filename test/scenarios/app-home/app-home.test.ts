/** Why: an engineer opens the App Home after a bad night; a deleted card must not empty it. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish, rows, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

/**
 * Reopens the App Home until it matches, because a new plan may not be stored yet. Waits for each answer first, as a person
 * would: otherwise the bot would be busy with nothing else.
 */
async function homeOf(as: string, fits: RegExp): Promise<string> {
  const home = () => workspace.sandbox.slack.state().homes[workspace.person(as)];
  let shown = '';
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const before = home()?.hash;
    await workspace.sandbox.slack.openHome({ as });
    await workspace.until(() => home()?.hash !== before, 'the home');
    shown = JSON.stringify(home()?.definition);
    if (fits.test(shown)) return shown;
    await pause(50);
  }
  throw new Error(`no home with ${fits}; it says ${shown}\n${workspace.bot.log().slice(-3_000)}`);
}

test('a pending plan links to its card, and has no link once the card is gone', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  const linked = await homeOf('ana', /"url":"https:/);
  expect(linked).toContain(card.ts.replace('.', ''));
  expect(linked).toContain('Page the engineer who is on call for a service.');

  workspace.sandbox.slack.reset();
  const without = await homeOf('ana', /Waiting for you/);
  expect(without).not.toContain('"url"');
  expect(without).not.toContain('Nothing waits for your approval');
  expect(await homeOf('dev', /Waiting for you/)).toContain('Plans that write: none.');
});

test('recent runs stay listed and pending plans are counted, however many requests came since', async () => {
  await workspace.plan('ben', 'slack.post channel=#incidents text="the deploy is done"');
  const card = await workspace.card('the deploy is done');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, 'Done');
  for (let number = 1; number <= 32; number += 1) {
    await workspace.plan('dev', `slack.post channel=#incidents text="number ${number}"`);
  }
  // Opening the App Home meanwhile would slow down the planning.
  const waiting = "select 1 from revisions where state = 'proposed' and card_ts is not null";
  await until(async () => (await rows(workspace, waiting)).length === 33);
  const shown = await homeOf('ana', /and 23 more/);
  expect(shown).toMatch(/Waiting for you.*Recent runs.*Done.*#incidents/s);
  expect(await homeOf('dev', /Your plans/)).toContain('Nothing waits for your approval');
});

test('a watch shows its last reading in the App Home, and its owner ends it there', async () => {
  const steps =
    'count = jira.count project=OPS priority=P1 status=open; when count.total > 90: pagerduty.page service=ops text="x"';
  await workspace.plan('ben', `watch: every 10m; ${steps}`);
  const made = await workspace.card('Watching');
  const shown = await homeOf('ben', /not more than 90/);
  expect(shown).toMatch(/every 10 minutes.*24 open P1 tickets in OPS: not more than 90.*watch\.end/s);
  const { id: viewId } = await workspace.home(workspace.person('ben'));
  await workspace.sandbox.slack.blockActionInView({ as: 'ben', viewId, actionId: 'watch.end' });
  await workspace.becomes(made, 'has ended');
  const now = () =>
    JSON.stringify(workspace.sandbox.slack.state().homes[workspace.person('ben')]?.definition);
  await workspace.until(() => now().includes('Nothing is watched.'), 'the home without it');
});
