/** Why: a vendor that accepts a call and never answers is the worst outage; it may cost seconds, never the run. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace, /Slack client error/));

test('a run survives Jira and Slack each hanging once: it pages once and reports in order', async () => {
  const { faults } = workspace.sandbox;
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  faults.add({ vendor: 'jira', kind: 'hang', times: 1 });
  faults.add({ vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang', times: 1 });
  const outcome = await workspace.click('ana', card, 'plan.approve');
  expect(outcome).toMatchObject({ acknowledged: true, late: false });

  // A hanging message blocks its own thread only.
  await workspace.until(
    () => faults.list().every(({ vendor }) => vendor !== 'slack'),
    'a message that hangs',
  );
  const other = 'how many P1 tickets are open in PAY?';
  await workspace.plan('dev', other);
  await workspace.card(other);
  expect(workspace.bot.log()).not.toContain('Message delivery postponed');

  await workspace.reply(card, /^Done/, 50_000);
  await workspace.becomes(card, 'finished', 20_000);
  expect(workspace.pages().map(({ triggers }) => triggers)).toEqual([1]);
  const thread = workspace.messages().filter((m) => m.threadTs === card.ts && m.ts !== card.ts);
  expect(thread).toHaveLength(1);
}, 90_000);
