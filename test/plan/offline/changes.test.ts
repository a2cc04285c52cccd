import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/plan.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});

async function changed(goal: string, words: string) {
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(first)}`);
  const plan = first.plan as Plan;
  return (await planner.plan(planningInput(goal, { catalogue, change: { plan, words } }))).answer;
}

/** Each step as `tool target if condition`; `ask` where the change is asked about. */
async function after(goal: string, words: string): Promise<string[]> {
  const answer = await changed(goal, words);
  if (answer.kind !== 'plan') return ['ask'];
  return answer.plan.steps.map(({ tool, args, when }) => {
    const aim = args.channel ?? args.user ?? args.key ?? args.service ?? args.project ?? '';
    return [tool, aim, when === undefined ? '' : `if ${when}`].filter(Boolean).join(' ');
  });
}

test('a change touches only the names that it speaks of', async () => {
  const two = 'close PAY-12 and OPS-3';
  expect(await after(two, 'without OPS-3')).toEqual(['jira.transition PAY-12']);
  expect(await after(two, 'PAY-13 instead of PAY-12')).toEqual([
    'jira.transition PAY-13',
    'jira.transition OPS-3',
  ]);
  expect(await after(two, 'PAY-13')).toEqual(['ask']);
  const pages = 'page ops and payments-api';
  expect(await after(pages, 'not ops')).toEqual(['pagerduty.page payments-api']);
  expect(await after(pages, 'only ops')).toEqual(['pagerduty.page ops']);
  expect(await after('count open P1s in PAY and OPS', 'drop OPS')).toEqual(['jira.count PAY']);
  expect(await after('page ops if PAY has more than 5 open P1s', 'also OPS')).toEqual(['ask']);
  const told = 'tell status the deploy is late and dm ben that the cart is down';
  expect(await after(told, 'dm ana instead of ben')).toEqual(['slack.post #status', 'slack.post @ana']);
});

test('a new bound is the one that was said; only the other branch turns with it', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s, otherwise tell status all good';
  expect(await after(goal, 'fewer than 3')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total < 3',
    'slack.post #status if count.total >= 3',
  ]);
  const few = 'page ops if PAY has fewer than 5 open P1s';
  expect(await after(few, '10')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 10']);
  expect(await after(few, 'make it 8')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 8']);
  expect(await after('page ops if PAY has more than 5 P1 and OPS more than 3', 'more than 10')).toEqual([
    'ask',
  ]);
});

test('what is added has the condition of the rest, and nothing is added that the words do not name', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s';
  expect(await after(goal, 'also page payments-api')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total > 5',
    'pagerduty.page payments-api if count.total > 5',
  ]);
  for (const words of ['make it nicer', 'drop the condition', 'say it is rolled back'])
    expect([words, await after('tell status the deploy is late', words)]).toEqual([words, ['ask']]);
  const both = 'page ops and tell status that the cart is down';
  expect(await after(both, 'drop the page')).toEqual(['slack.post #status']);
  expect(await after(both, "don't tell status")).toEqual(['pagerduty.page ops']);
});
