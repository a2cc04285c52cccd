/** Why: a workspace without Slack's newer blocks sees the same content in plain ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { breach, finish } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const newer = ['plan', 'task_card', 'container', 'data_table'];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { unknownBlocks: newer } });
});
// Slack's client library logs the one refusal as an error of its own.
afterAll(() => finish(workspace, /unsupported type: (plan|container|data_table)/));

const typesOf = ({ blocks }: Message) => new Set(blocks.map(({ type }) => type));

let card: Message;

test('a card has the whole plan behind a button instead of a collapsed block', async () => {
  await workspace.plan('ben', breach);
  card = await workspace.card(breach);
  expect(typesOf(card)).not.toContain('container');
  expect(actionsOf(card.blocks)).toEqual(expect.arrayContaining(['plan.approve', 'plan.details']));
  expect(blockText(card.blocks)).toContain('the SLA allows 20');
});

test('progress and outcome are shown without plan blocks', async () => {
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const over = await workspace.becomes(card, 'finished');
  expect(over.blocks.map((block) => block.type)).not.toContain('plan');
  expect(wordsOf(over)).toMatch(/✓.*Count open P1 tickets in OPS.*✓.*SLA.*✓.*Page the on-call of ops/s);
  expect(actionsOf(over.blocks).filter((id) => id.startsWith('plan.'))).toEqual([]);
  expect(workspace.pages()).toHaveLength(1);
});

test('a list is shown as plain blocks with its query below', async () => {
  await workspace.plan('ben', 'jira.search project=OPS priority=P1 status=open');
  const answer = await workspace.card(/OPS-\d+/);
  expect(typesOf(answer)).not.toContain('data_table');
  expect(blockText(answer.blocks)).toMatch(/OPS-\d+.*statusCategory/s);
});
