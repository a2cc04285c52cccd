/** Why: three orders in one sentence are one plan with three steps, also where no single reading has all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('the first button has all that was ordered, and what one order leaves out is as in the others', async () => {
  const goal = 'open a ticket and page payments and post in #incidents that payouts are failing';
  await workspace.plan('ben', goal);
  const question = await workspace.card(/Which of these do you mean/);
  expect(wordsOf(question)).toContain('Create a ticket in PAY, page payments-api, post to #incidents');
  await workspace.click('ben', question, 'clarify.answer.0');
  const card = wordsOf(await workspace.card(/Create a ticket in PAY, page the on-call of payments-api/));
  expect(card.match(/“payouts are failing”/g)?.length).toBeGreaterThanOrEqual(3);
  expect(card).toContain('No project was named for “open a ticket”, so I used PAY.');
  expect(card).not.toContain('Not in the plan');
});
