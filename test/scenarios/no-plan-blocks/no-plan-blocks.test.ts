/** Why: a workspace that does not know Slack's plan blocks sees the same progress in plain sections. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { unknownBlocks: ['plan', 'task_card'] } });
});
// Slack's client library calls the one refusal an error of its own.
afterAll(() => finish(workspace, /unsupported type: plan/));

test('progress and outcome are shown without plan blocks', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const over = await workspace.becomes(card, 'finished');
  expect(over.blocks.map((block) => block.type)).not.toContain('plan');
  expect(wordsOf(over)).toMatch(/✓.*Count open P1 tickets in OPS.*✓.*SLA.*✓.*Page the on-call of ops/s);
  expect(actionsOf(over.blocks).filter((id) => id.startsWith('plan.'))).toEqual([]);
  expect(workspace.pages()).toHaveLength(1);
});
