/** Why: when one of two processes dies in the middle of a write, the other ends the run within seconds, without a second page. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { breach, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let first: BotProcess;
beforeAll(async () => {
  const spawned = await Workspace.spawn();
  [workspace, first] = [spawned, spawned.bot];
});
afterAll(() => finish(workspace));

test("the surviving process finishes the dead one's run", async () => {
  const { faults, journal } = workspace.sandbox;
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  faults.add({ vendor: 'pagerduty-events', kind: 'hang' });
  await workspace.click('ana', card, 'plan.approve');
  const events = () => journal.list({ vendor: 'pagerduty-events' }).length;
  await workspace.until(() => events() === 1, 'the first attempt');
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  expect(await rows(workspace, "select outcome from runs where mode = 'run'")).toEqual([{ outcome: null }]);
  await first.kill();
  faults.clear();
  expect(wordsOf(await workspace.reply(card, /^Done/, 25_000))).toContain('was paged');
  await workspace.becomes(card, 'finished');
  expect(workspace.pages().map(({ triggers }) => triggers)).toEqual([1]);
  const finals = workspace.messages().filter((m) => m.threadTs === card.ts && /^Done/.test(wordsOf(m)));
  expect(finals).toHaveLength(1);
});

test('a process that starts while another one plans does not plan the same goal again', async () => {
  const goal = 'if OPS has more than 3 open P1 tickets, page ops';
  const match = { path: '/oncalls' };
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', match, kind: 'delay' });
  const planned = workspace.plan('ben', goal);
  await workspace.until(
    () => workspace.sandbox.journal.list({ path: '/oncalls' }).length > 0,
    'the planning',
  );
  const second = await workspace.startProcess();
  workspace.sandbox.faults.clear();
  await planned;
  const card = await workspace.card(goal);
  expect(
    await rows(workspace, 'select number, state from revisions order by created_at desc limit 1'),
  ).toEqual([{ number: 1, state: 'proposed' }]);
  expect(second.process.exitCode).toBeNull();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.messages().filter((m) => !m.threadTs && wordsOf(m).includes(goal))).toHaveLength(1);
  expect(await second.stop()).toBe(0);
});
