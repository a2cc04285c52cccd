/** Why: “page ops if you can” was asked about as if it had a condition, and “page me” was not understood. */
import { expect, test } from 'vitest';
import type { PlanningInput } from '../../src/core/planning.ts';
import { everydayPlanner } from '../support/everyday.ts';
import { planningInput } from '../support/planning.ts';

test.each(['page me', 'wake me'])(
  'an order that only says what to do is asked what it lacks: %s',
  async (goal) => {
    const { answer } = await everydayPlanner.plan(planningInput(goal));
    expect(answer).toMatchObject({ kind: 'clarify', missing: ['service', 'me'] });
  },
);

const courteous = [
  ['page ops about the db if you can', 'page ops about the db'],
  ['if possible, page ops: db down', 'page ops: db down'],
  ['page ops if it’s ok: db down', 'page ops: db down'],
  ['tell #ops that search is slow if you don’t mind', 'tell #ops that search is slow'],
  ['how many P1s are open in OPS when you get a chance?', 'how many P1s are open in OPS?'],
] as const;

test.each(courteous)('a courtesy is no condition: %s', async (goal, plain) => {
  const stepsOf = async (words: string) => {
    const { answer } = await everydayPlanner.plan(planningInput(words));
    return answer.kind === 'plan'
      ? answer.plan.steps.map(({ tool, args, when }) => [tool, args, when])
      : answer;
  };
  expect(await stepsOf(goal)).toEqual(await stepsOf(plain));
});

test('a courtesy in a reply adds a step without a condition, and one in a text is part of it', async () => {
  const plan = async (goal: string, change: PlanningInput['change'] = null) => {
    const { answer } = await everydayPlanner.plan(planningInput(goal, { change }));
    if (answer.kind !== 'plan') throw new Error(`no plan for ${goal}`);
    return answer.plan;
  };
  const page = await plan('page ops: db1 disk full');
  const more = await plan('', { plan: page, words: 'also tell #ops if you can' });
  expect(more.steps.map(({ tool, when }) => [tool, when])).toEqual([
    ['pagerduty.page', undefined],
    ['slack.post', undefined],
  ]);
  const said = await plan('tell #ops "call me if you can"');
  expect(said.steps[0]?.args.text).toBe('call me if you can');
});
