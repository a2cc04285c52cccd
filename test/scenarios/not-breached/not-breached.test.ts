/** Why: when all is well nobody is paged, and the thread says so instead of being silent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, finish, rows } from '../../support/scenario.ts';
import { openTickets } from '../../support/tickets.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('within the SLA no approval is asked, nobody is paged, and the message says why', async () => {
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 18);
  await workspace.plan('ben', breach);
  const answer = await workspace.card(breach);
  expect(wordsOf(answer)).toMatch(/^18 open P1 tickets in OPS, the SLA allows 20: within the SLA\./);
  expect(wordsOf(answer)).toMatch(/Nobody was paged, because open P1 tickets in OPS \(18\) ≤ .*20/s);
  expect(actionsOf(answer.blocks)).toEqual(['plan.again', 'plan.edit']);
  expect(workspace.messages().filter(({ threadTs }) => threadTs !== undefined)).toEqual([]);
  const [request] = await rows(workspace, 'select state from requests');
  expect(request).toEqual({ state: 'finished' });
  expect(workspace.sandbox.journal.list({ vendor: 'pagerduty-events' })).toEqual([]);
  expect(workspace.pages()).toEqual([]);
});

test('run again reads anew, and asks for an approval if the SLA is breached by then', async () => {
  const answer = await workspace.card(breach);
  openTickets(workspace, 3);
  await workspace.click('dev', answer, 'plan.again');
  const card = await workspace.card('21 open P1 tickets in OPS, the SLA allows 20:  breached.');
  expect(card.ts).not.toBe(answer.ts);
  await workspace.click('ana', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { reason: { v: 'a drill' } } });
  await workspace.becomes(card, 'Rejected');
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 18);
});

test('a count equal to the limit is not a breach', async () => {
  openTickets(workspace, 2);
  const goal = 'if OPS has more than 20 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const answer = await workspace.card('20 open P1 tickets in OPS: not more than 20.');
  expect(wordsOf(answer)).toContain('Nobody was paged');
  expect(workspace.pages()).toEqual([]);
});
