/** Why: whoever asks for a watch hears what it will do when nobody is there to ask. */
import { expect, test } from 'vitest';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { watchFirst } from '../../src/plan/watch.ts';
import { planningInput } from '../support/planning.ts';

const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));

async function answerTo(goal: string, onCallFor: readonly string[] = []) {
  const { answer } = await planner.plan(planningInput(goal, { onCallFor }));
  return answer;
}

test('"page me" in a watch is asked about: who is on call may change, so a service is named, one’s own first', async () => {
  const goal = 'watch OPS P1 every 10 minutes and page me over 30';
  const nobody = await answerTo(goal);
  expect(nobody).toMatchObject({ kind: 'clarify', question: expect.stringContaining('not you by name') });
  const own = await answerTo(goal, ['payments-api']);
  expect(own).toMatchObject({
    kind: 'clarify',
    question:
      'You are on call for payments-api now; when the watch speaks it may be somebody else. Which service should it page?',
    missing: ['service', 'me'],
  });
  if (own.kind !== 'clarify') throw new Error('it was not asked about');
  expect(own.options[0]).toMatch(/^Page the on-call of payments-api /);
  expect(own.offers?.[0]?.option).toBe(own.options[0]);
  expect(own.options).toHaveLength(3);
});

test.each([
  'watch OPS P1 every 10 seconds and page ops over 30',
  'watch OPS P1 every 90s and page ops over 30',
])('what is no whole number of minutes is refused and not rounded: %s', async (goal) => {
  expect(await answerTo(goal)).toMatchObject({
    kind: 'refuse',
    explanation: expect.stringContaining('whole minutes'),
  });
});
