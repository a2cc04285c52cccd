/** Why: somebody may delete the card while its run goes on; how it ended still reaches whoever asked. */
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buttonValue, finish, forgedClick } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace));

test('the outcome is told privately when the card and its thread are gone, and not once a step', async () => {
  await workspace.plan('ben', 'if OPS has more than 3 open P1 tickets, page ops');
  const card = await workspace.card('than 3 open');
  const value = buttonValue(card, 'plan.approve') ?? '';
  const { slack, world } = workspace.sandbox;
  const web = new WebClient(world.slack.botToken, { slackApiUrl: slack.apiUrl });
  await web.chat.delete({ channel: card.channel, ts: card.ts });
  await forgedClick(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });

  const words = wordsOf(await workspace.whisper('ben', /Done:/));
  expect(words).toContain('A message could not be posted.');
  expect(words).toContain('Ana Ruiz was paged');
  expect(workspace.pages()).toHaveLength(1);
  const lost = workspace
    .messages('ops', workspace.person('ben'))
    .filter((message) => wordsOf(message).includes('could not be posted'));
  expect(lost).toHaveLength(2);
});

test('when the bot has been removed from the channel, nobody is told that nothing was run', async () => {
  await workspace.plan('ben', 'if OPS has more than 4 open P1 tickets, page ops');
  const card = await workspace.card('than 4 open');
  await workspace.sandbox.slack.setBotMember({ channel: 'ops', member: false });
  await workspace.click('ana', card, 'plan.approve');
  const told = () => workspace.messages('ops', workspace.person('ben')).map(wordsOf);
  await workspace.until(
    () => told().filter((words) => /Done:.*paged/.test(words)).length === 2,
    'the outcome',
  );
  expect(told().join()).not.toContain('Nothing was run');
  expect(workspace.pages()).toHaveLength(2);
});
