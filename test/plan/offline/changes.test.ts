import { expect, test } from 'vitest';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});

/** Each step after a change as `tool target if condition`; `ask` where the change is asked about. */
async function after(goal: string, words: string): Promise<string[]> {
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(first)}`);
  const { answer } = await planner.plan(
    planningInput(goal, { catalogue, change: { plan: first.plan, words } }),
  );
  if (answer.kind !== 'plan') return ['ask'];
  return answer.plan.steps.map(({ tool, args, when }) => {
    const aim = args.channel ?? args.user ?? args.key ?? args.service ?? args.project ?? '';
    return [tool, aim, when === undefined ? '' : `if ${when}`].filter(Boolean).join(' ');
  });
}

test('a change replaces what it names, and asks where it could mean several things', async () => {
  const two = 'close PAY-12 and OPS-3';
  expect(await after(two, 'without OPS-3')).toEqual(['jira.transition PAY-12']);
  expect(await after(two, 'PAY-13 instead of PAY-12')).toEqual([
    'jira.transition PAY-13',
    'jira.transition OPS-3',
  ]);
  expect(await after(two, 'PAY-13')).toEqual(['ask']);
  const pages = 'page ops and payments-api about the disks';
  expect(await after(pages, 'not ops')).toEqual(['pagerduty.page payments-api']);
  expect(await after(pages, 'only ops')).toEqual(['pagerduty.page ops']);
});

test('a priority and a channel are replaced where they stand', async () => {
  const goal = 'count open P1s in PAY and post the number to #status';
  expect(await after(goal, 'use P2 and post to #ops instead')).toEqual(['jira.count PAY', 'slack.post #ops']);
  expect(await after(goal, 'send it to ana')).toEqual(['jira.count PAY', 'slack.post @ana']);
});

test('a guess that a change took back is on the card no longer', async () => {
  const goal = 'how many open P1s';
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error('a plan');
  expect(first.plan.assumptions).toEqual(['Project OPS, because none was named.']);
  const change = { plan: first.plan, words: 'PAY instead' };
  expect((await planner.plan(planningInput(goal, { catalogue, change }))).answer).toMatchObject({
    plan: { assumptions: [], steps: [{ args: { project: 'PAY' } }] },
  });
});

test('a new bound is the one that was said; only the other branch turns with it', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s, otherwise post "all good" to #status';
  expect(await after(goal, 'fewer than 3')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total < 3',
    'slack.post #status if count.total >= 3',
  ]);
  const few = 'page ops if PAY has fewer than 5 open P1s';
  expect(await after(few, '10')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 10']);
  expect(await after(few, 'make it 8')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 8']);
});

test('steps are added under the condition of the others, and left out by their tool', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s';
  expect(await after(goal, 'also page payments-api')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total > 5',
    'pagerduty.page payments-api if count.total > 5',
  ]);
  const both = 'page ops about the cart and tell #status that the cart is down';
  expect(await after(both, 'drop the page')).toEqual(['slack.post #status']);
  for (const words of ['make it nicer', 'drop the condition'])
    expect([words, await after(goal, words)]).toEqual([words, ['ask']]);
});
