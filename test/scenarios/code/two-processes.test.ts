/** Why: code runs wherever its run is, and a process that dies takes no result with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let first: BotProcess;
beforeAll(async () => {
  const spawned = await Workspace.spawn({ config: configWith({ rules: [{ approvers: ['U0ANA'] }] }) });
  [workspace, first] = [spawned, spawned.bot];
});
afterAll(() => finish(workspace));

test('code that a process ran for the card is run again by another one for the approval', async () => {
  await workspace.plan('ben', 'run workload-report project=OPS priority=P1 channel=#ops');
  const card = await workspace.card('Load: idle 8');
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  await first.kill();
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/, 25_000))).toContain('load: idle 8');
  expect(wordsOf(workspace.messages().findLast((m) => !m.threadTs) ?? { text: '' })).toContain('nobody: 8');
});
