/** Why: a card may be deleted while its run continues; the outcome still reaches the requester. */
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buttonValue, finish, forgedClick, known } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterEach(() => workspace.resolvePages());

/** The bot's direct messages to a person. */
const direct = (as: string): string[] =>
  workspace.messages(workspace.person(as), workspace.person(as)).map(wordsOf);
afterAll(() => finish(workspace));

test('the outcome is sent privately in one message when the card and its thread are gone', async () => {
  await workspace.plan('ben', 'if OPS has more than 3 open P1 tickets, page ops');
  const card = await workspace.card('than 3 open');
  const value = buttonValue(card, 'plan.approve') ?? '';
  await deleteCard(card);
  await forgedClick(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });

  await workspace.until(() => direct('ben').some((words) => words.includes('Done:')), 'the outcome');
  const [said, ...more] = direct('ben');
  expect(said).toMatch(/A message could not be posted in .*more than 3 open P1 tickets.*Ana Ruiz was paged/s);
  expect(more).toEqual([]);
  expect(workspace.pages()).toHaveLength(1);
});

async function deleteCard(card: Message): Promise<void> {
  await known(workspace, card);
  const { slack, world } = workspace.sandbox;
  const web = new WebClient(world.slack.botToken, { slackApiUrl: slack.apiUrl });
  await web.chat.delete({ channel: card.channel, ts: card.ts });
}

test('a card that was deleted while it waits is posted again when the same is asked for, and can be approved', async () => {
  const goal = 'slack.post channel=incidents text="The fix is out."';
  await workspace.plan('dev', goal);
  const first = await workspace.card('The fix is out.');
  await deleteCard(first);
  await workspace.plan('eva', goal);
  const second = await workspace.card('The fix is out.');
  expect(second.ts).not.toBe(first.ts);
  await deleteCard(second);
  // Ana may approve it, so she is shown the card and does not join those who asked.
  await workspace.plan('ana', goal);
  const third = await workspace.card('The fix is out.');
  await workspace.click('ana', third, 'plan.approve');
  await workspace.becomes(third, 'Done');
  await workspace.reply(third, /^Done/);
});

test('“show” and “mine” post a deleted card again, and say that it follows', async () => {
  await workspace.plan('dev', 'slack.post channel=incidents text="Still looking."');
  for (const words of ['mine', 'show']) {
    const card = await workspace.card('Still looking.');
    await deleteCard(card);
    await workspace.plan('dev', words);
    await workspace.whisper('dev', /its card follows/i);
    const again = await workspace.card('Still looking.');
    expect(again.ts).not.toBe(card.ts);
  }
  expect(
    workspace.messages().filter((m) => wordsOf(m).includes('Still looking.') && !m.ephemeralFor),
  ).toHaveLength(1);
});

test('when the bot has been removed from the channel, nobody is told that nothing was run', async () => {
  await workspace.plan('ben', 'if OPS has more than 4 open P1 tickets, page ops');
  const card = await workspace.card('than 4 open');
  await workspace.sandbox.slack.setBotMember({ channel: 'ops', member: false });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(
    () => direct('ben').filter((words) => /Done:.*paged/s.test(words)).length === 2,
    'the outcome',
  );
  expect(direct('ben').join()).not.toContain('Nothing was run');
  expect(workspace.pages()).toHaveLength(2);
});

test('if no direct message works, the default channel hears where a message is missing but not its text', async () => {
  await workspace.plan('ben', 'jira.comment key=OPS-1 text="checked the disks"', 'incidents');
  const card = await workspace.card('checked the disks', 'incidents');
  await workspace.sandbox.slack.setBotMember({ channel: 'ops', member: true });
  await workspace.sandbox.slack.setBotMember({ channel: 'incidents', member: false });
  const match = { path: '/api/conversations.open' };
  const body = { ok: false, error: 'user_disabled' };
  const fault = workspace.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 200, match, body });
  const openings = () =>
    workspace.sandbox.journal.list({ vendor: 'slack' }).filter(({ path }) => path === match.path).length;
  const before = openings();
  await workspace.click('ana', card, 'plan.approve');
  const word = await workspace.card(/could not be posted.*user_disabled/s);
  expect(wordsOf(word)).not.toContain('disks');
  // Ben, the requester; Ana, who approved and is an operator; and Chiara, the other operator.
  expect(openings() - before).toBeGreaterThanOrEqual(3);
  workspace.sandbox.faults.remove(fault);
});
