/** Why: if an operator wants every read approved, none happens before an approval. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, configWith, finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ approval: { four_eyes: false, reads: 'ask' } }) });
});
afterAll(() => finish(workspace));

test('with approval.reads: ask a plan that only reads waits for its click', async () => {
  workspace.sandbox.journal.clear();
  await workspace.plan('ben', 'jira.count project=OPS priority=P1 status=open');
  const card = await workspace.card('Count open P1 tickets in OPS');
  expect(actionsOf(card.blocks)).toEqual(['plan.approve', 'plan.edit', 'plan.reject']);
  expect(workspace.sandbox.journal.list({ vendor: 'jira' })).toEqual([]);
  await workspace.click('ben', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toContain('24 open P1 tickets in OPS');
});

test('a plan that writes is approved without facts, which the run reads', async () => {
  workspace.sandbox.journal.clear();
  await workspace.plan('ben', breach);
  const card = await workspace.card('WRITE');
  expect(wordsOf(card)).not.toContain('breached.');
  expect(workspace.sandbox.journal.list({ vendor: 'jira' })).toEqual([]);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toContain('because 24 > 20');
});
