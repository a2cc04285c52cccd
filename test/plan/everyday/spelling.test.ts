import { expect, test } from 'vitest';
import { testCatalogue } from '../../support/catalogue.ts';
import { everydayPlanner } from '../../support/everyday.ts';
import { planningInput } from '../../support/planning.ts';

const catalogue = testCatalogue();
async function planned(goal: string) {
  const { answer, notes } = await everydayPlanner.plan(planningInput(goal, { catalogue }));
  return answer.kind === 'plan' ? { steps: answer.plan.steps, goal: answer.plan.goal, notes } : { notes };
}

test('a misspelt word of a question is read as the word that was meant, and the answer says so', async () => {
  const { steps, goal, notes } = await planned('errros of ops last hour');
  expect(steps?.[0]?.args).toMatchObject({ about: 'errors', window: 'PT1H' });
  expect(goal).toBe('errros of ops last hour');
  expect(notes).toEqual(['I read “errros” as “errors”.']);
});

test('an umlaut may be typed without its key', async () => {
  expect((await planned('wer hat bereitschaft fuer ops')).notes).toEqual(['I read “fuer” as “für”.']);
});

test('a text that is sent on keeps its spelling', async () => {
  const { steps, notes } = await planned('page ops: errros in the carts');
  expect(steps?.[0]?.args.text).toBe('errros in the carts');
  expect(notes).toEqual([]);
});

test.each(['search OPS for zyxwvu', 'search OPS for "errros"', 'open P1s in OPS'])(
  'nothing is corrected in “%s”',
  async (goal) => {
    expect((await planned(goal)).notes).toEqual([]);
  },
);
