/** Why: below an answer people say "and in PAY?"; it is the same question about another thing, and talk is not. */
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

test('leaves a plan that writes alone', async () => {
  expect(await argsAfter('page ops: disk full', 'and payments-api?')).toBeNull();
});
