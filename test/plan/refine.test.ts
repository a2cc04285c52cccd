/** Why: a reply such as "and in PAY?", "not P1, P2" or "only mine" replaces one value and keeps the rest; talk changes nothing. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/core/plan.ts';
import { everydayPlanner as planner } from '../support/everyday.ts';
import { planningInput } from '../support/planning.ts';

async function planFor(
  goal: string,
  change: { plan: Plan; words: string } | null = null,
): Promise<Plan | null> {
  const { answer, confidence } = await planner.plan(planningInput(goal, { change }));
  return answer.kind === 'plan' && confidence > 0.85 ? answer.plan : null;
}

async function argsAfter(goal: string, words: string) {
  const plan = await planFor(goal);
  if (plan === null) throw new Error(`no plan for ${goal}`);
  return (await planFor(goal, { plan, words }))?.steps.map(({ args }) => args) ?? null;
}

test.each([
  [
    'how many P1 tickets are open in OPS?',
    'and in PAY?',
    [{ project: 'PAY', priority: 'P1', status: 'open' }],
  ],
  [
    'how many P1 tickets are open in OPS?',
    'what about P2?',
    [{ project: 'OPS', priority: 'P2', status: 'open' }],
  ],
  [
    'how many P1 tickets are open in OPS?',
    'and P2 in payments?',
    [{ project: 'PAY', priority: 'P2', status: 'open' }],
  ],
  ['who is on call for ops?', 'and for payments-api?', [{ service: 'payments-api' }]],
  ['any open incidents on search?', 'same for PAY', [{ service: 'payments-api', status: 'open' }]],
])('%s – %s', async (goal, words, args) => {
  expect(await argsAfter(goal, words)).toEqual(args);
});

test.each(['PAY has the same issue', 'did you call PAY?', 'why not P2?', 'and tomorrow?', 'PAY and OPS?'])(
  'leaves talk alone: %s',
  async (words) => {
    expect(await argsAfter('how many P1 tickets are open in OPS?', words)).toBeNull();
  },
);

test.each([
  ['who is on call for ops?', 'not ops, payments-api', { service: 'payments-api' }],
  ['who is on call for ops?', 'tomorrow?', { service: 'ops', at: 'tomorrow' }],
  ['open incidents of search', 'I meant payments-api', { service: 'payments-api', status: 'open' }],
  ['open incidents of search', 'this week', { service: 'search', status: 'open', during: 'this week' }],
  ['open incidents of search', 'resolved ones too', { service: 'search', status: 'all' }],
  ['my open tickets', 'in PAY', { assignee: 'me', status: 'open', project: 'PAY' }],
  ['my open tickets', 'and closed ones?', { assignee: 'me', status: 'closed' }],
  ['open P1s of OPS', 'only mine', { project: 'OPS', priority: 'P1', status: 'open', assignee: 'me' }],
  ['open P1s of OPS', 'nur P2', { project: 'OPS', priority: 'P2', status: 'open' }],
  ['open P1s of OPS', 'oldest first', { project: 'OPS', priority: 'P1', status: 'open', order: 'oldest' }],
  ['open P1s of OPS', 'by assignee', { project: 'OPS', priority: 'P1', status: 'open', by: 'assignee' }],
  [
    'how many P1s did OPS get this week?',
    'I meant last week',
    { project: 'OPS', priority: 'P1', during: 'last week' },
  ],
  ['how many P1s did OPS get this week?', 'last 3 days', { project: 'OPS', priority: 'P1', window: 'P3D' }],
  [
    'P1s in OPS not updated for 2 days',
    'and 4 hours?',
    { project: 'OPS', priority: 'P1', status: 'open', not_updated_for: 'PT4H' },
  ],
])('keeps all else of “%s” after “%s”', async (goal, words, args) => {
  expect(await argsAfter(goal, words)).toEqual([args]);
});

test.each([
  [
    'tickets in OPS per day this week',
    ['last week', 'only P1', 'and PAY?', 'only unassigned'],
    { project: 'PAY', priority: 'P1', assignee: 'unassigned', during: 'last week', by: 'day' },
  ],
  [
    'unassigned P2s in OPS',
    ['with the label vpn', 'and P1?', 'in PAY'],
    { project: 'PAY', priority: 'P1', status: 'open', assignee: 'unassigned', label: 'vpn' },
  ],
  [
    'how many tickets were closed in OPS yesterday?',
    ['list them', 'only mine'],
    { project: 'OPS', status: 'closed', during: 'yesterday', assignee: 'me' },
  ],
])('each of several replies keeps what those before it said: %s', async (goal, replies, args) => {
  let plan = await planFor(goal);
  for (const words of replies) {
    const { answer } = await planner.plan(planningInput(goal, { change: plan && { plan, words } }));
    plan = answer.kind === 'plan' ? answer.plan : null;
  }
  expect(plan?.steps.map((step) => step.args)).toEqual([args]);
});

test.each([
  ['page payments-api: queue is full', 'not payments-api, search', 'Page the on-call of search'],
  ['page payments-api: queue is full', 'no, OPS', 'Page the on-call of ops'],
  ['create a ticket in OPS: disk full, P1', 'not P1, P2', 'Create a P2 ticket in OPS'],
  ['create a ticket in OPS: disk full, P1', 'nicht OPS, sondern PAY', 'Create a P1 ticket in PAY'],
  ['tell @ana that search is slow', 'not @ana, @ben', 'Post to @ben'],
  [
    'if OPS has more than 20 open P1 tickets, page ops',
    'no, PAY',
    'Page the on-call of ops if there are more than 20 open P1 tickets in PAY',
  ],
  [
    'if OPS has more than 20 open P1 tickets, page ops',
    'payments-api, not ops',
    'Page the on-call of payments-api if there are more than 20 open P1 tickets in OPS',
  ],
])('a correction changes one value of a plan that writes: %s – %s', async (goal, words, summary) => {
  const plan = await planFor(goal);
  expect((await planFor(goal, plan && { plan, words }))?.summary).toBe(summary);
});

test('a text that was made from the plan follows the correction', async () => {
  const goal = 'if OPS has more than 20 open P1 tickets, page ops';
  const plan = await planFor(goal);
  const changed = await planFor(goal, plan && { plan, words: 'not P1, P2' });
  expect(changed?.steps.at(-1)?.args.text).toEqual(['Open P2 tickets in OPS: ', { ref: 'count.total' }]);
});

test('a grouping that the tool lacks is said, and is no other filter', async () => {
  const plan = await planFor('open P1s of OPS');
  const { answer } = await planner.plan(
    planningInput('open P1s of OPS', { change: plan && { plan, words: 'by host' } }),
  );
  expect(answer).toMatchObject({
    kind: 'clarify',
    question: expect.stringContaining('can’t group this by host'),
  });
});

test.each([
  ['page ops: disk full', 'and payments-api?'],
  ['page ops: disk full', 'payments-api'],
  ['page ops: disk full', 'not payments-api'],
  ['who is on call for ops?', 'search as well'],
  ['open P1s of OPS', 'mine?'],
  ['open P1s of OPS', 'it was PAY'],
  ['open P1s of OPS', 'not P1 and P2'],
])('leaves alone what may mean something else: %s – %s', async (goal, words) => {
  const plan = await planFor(goal);
  const { confidence } = await planner.plan(planningInput(goal, { change: plan && { plan, words } }));
  expect(confidence).toBeLessThan(1);
});
