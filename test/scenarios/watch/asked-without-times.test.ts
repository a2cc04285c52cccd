/** Why: a person who says “wake me if” expects it to be looked at from now on, and goes to sleep. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, rows } from '../../support/scenario.ts';
import { labelsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

const often = ['Every 5 minutes', 'Every 15 minutes', 'Every hour', 'Only once, now'];

test('“wake me if” asks how often to look, and the choice is a watch', async () => {
  await workspace.plan('ben', 'wake me up if PAY gets more than 5 P1s');
  const question = await workspace.card('wake me up if PAY');
  expect(wordsOf(question)).toContain('How often should I look?');
  expect(labelsOf(question.blocks)).toEqual(often);
  await workspace.click('ben', question, 'clarify.answer.1');
  const made = await workspace.card(/Watching\s+every 15 minutes/);
  expect(wordsOf(made)).toMatch(/more than 5 open P1 tickets in PAY/);
  expect(await rows(workspace, 'select every from watches')).toEqual([{ every: { minutes: 15 } }]);
});

test('it is looked at only once if its person wants that', async () => {
  await workspace.plan('ben', 'page me when OPS has more than 3 open P1s');
  const question = await workspace.card('page me when OPS');
  await workspace.click('ben', question, 'clarify.answer.3');
  const card = await workspace.card(/more than 3 open P1[\s\S]*Approvers/);
  expect(labelsOf(card.blocks)).toContain('Approve');
});

test('a page that should wait for something is offered as a watch, and never without the wait', async () => {
  await workspace.plan('ben', 'page checkout if no one acks in 10 min');
  const question = await workspace.card('page checkout if no one');
  expect(wordsOf(question)).toMatch(/can’t wait.*in 10 min.*How often should I look\?/s);
  expect(labelsOf(question.blocks)).toEqual(often.slice(0, 3));
});

test('an order under a condition of now stays a plan', async () => {
  await workspace.plan('ben', 'if OPS has more than 2 open P1s page ops');
  const card = await workspace.card('if OPS has more than 2 open');
  expect(labelsOf(card.blocks)).toContain('Approve');
});
