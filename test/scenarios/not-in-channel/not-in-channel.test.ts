/** Why: nobody would see a plan in a channel without the bot; the person learns how to change that. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('outside its channels the bot privately explains how to invite it', async () => {
  await workspace.plan('eva', breach, 'support');
  const word = await workspace.whisper('eva', 'so I cannot post the plan there', 'support');
  expect(wordsOf(word)).toContain('/invite');
  expect(workspace.messages('support')).toHaveLength(1);
  await workspace.sandbox.slack.openHome({ as: 'eva' });
  const home = await workspace.home(workspace.person('eva'));
  expect(wordsOf({ blocks: home.definition.blocks })).toMatch(/Nothing waits for your approval/);
  expect(await rows(workspace, 'select state, decided_by from revisions')).toEqual([
    { state: 'cancelled', decided_by: 'system' },
  ]);
});

test('a question that cannot be posted there gets the same explanation', async () => {
  await workspace.plan('dev', 'page the on-call', 'support');
  await workspace.whisper('dev', '/invite', 'support');
});

test('the same goal works after the invitation', async () => {
  const { slack, world } = workspace.sandbox;
  await slack.command({ as: 'eva', channel: 'support', command: '/invite', text: `@${world.bot.name}` });
  await workspace.plan('eva', breach, 'support');
  const card = await workspace.card(breach, 'support');
  // Dev cannot approve and Ana is not in the channel; all that matters here is that the card was posted.
  await workspace.click('dev', card, 'plan.approve');
  await workspace.whisper('dev', 'You cannot approve this one.', 'support');
});
