/** Why: a request's detail that is missing from the plan must be noticed, and a false alarm spoils a right plan. */
import { expect, test } from 'vitest';
import type { Plan, Step } from '../../src/core/plan.ts';
import { unaccounted } from '../../src/plan/account.ts';
import { planningInput } from '../support/planning.ts';

function planOf(args: Step['args'], when?: string): Plan {
  const step = { id: 'a', tool: 'jira.count', why: 'w', args, needs: [], ...(when ? { when } : {}) };
  return {
    ...{ goal: 'g', summary: 's', inputs: [], assumptions: [], success: [] },
    steps: [{ ...step, onError: 'stop', onSkip: 'skip' }],
  };
}

const lostFrom = (goal: string, args: Step['args'], when?: string): string[] =>
  unaccounted(planningInput(goal), planOf(args, when)).map(({ word }) => word);

test('a number is accounted for in another unit, or as the other side of a limit', () => {
  const carried: [string, Step['args'], string?][] = [
    ['tickets older than 2 days', { older_than: 'PT48H' }],
    ['the last 90 minutes', { window: 'PT90M' }],
    ['the last 24h', { window: 'P1D' }],
    ['top 3 of them', { limit: 3 }],
    ['say so if at least 5 are open', {}, 'count.total > 4'],
    ['more than 2,000 hits', {}, 'count.total > 2000'],
    ['SEV-1s and sev2s since 10:30, please, in 1 go', { priority: 'P1', since: '10:30' }],
  ];
  for (const [goal, args, when] of carried) expect(lostFrom(goal, args, when), goal).toEqual([]);
  expect(lostFrom('the last 6 hours', { window: 'PT5H' })).toEqual(['6 hours']);
  expect(lostFrom('say so if more than 20 are open', {}, 'count.total > 5')).toEqual(['20']);
});

test('a name is accounted for by itself, or by its project or service', () => {
  expect(lostFrom('tickets of payments-api', { project: 'PAY' })).toEqual([]);
  expect(lostFrom('tickets in PAY', { service: 'payments-api' })).toEqual([]);
  expect(lostFrom('tickets in PAY but not OPS-3, for #status and @ana', { project: 'PAY' })).toEqual([
    '#status',
    '@ana',
    'OPS-3',
    'but not',
  ]);
  expect(lostFrom('look at search, UTF-8 and GPT-5 of incident #1182', { incident: '1182' })).toEqual([]);
});

test('a quotation is accounted for verbatim, or by most of its words', () => {
  expect(
    lostFrom('post "pool is exhausted" to #ops', { text: 'Pool is  exhausted', channel: '#ops' }),
  ).toEqual([]);
  expect(
    lostFrom('look for "connection pool exhausted now"', { query: 'pool exhausted connection' }),
  ).toEqual([]);
  expect(lostFrom('post "pool is exhausted" to #ops', { text: 'Look!', channel: '#ops' })).toEqual([
    'pool is exhausted',
  ]);
});

test('a “not” is accounted for by a condition or a filter, and an “if” that only asks is ignored', () => {
  expect(lostFrom('list them unless it is quiet', {})).toEqual(['unless']);
  expect(lostFrom('list them unless it is quiet', {}, 'count.total > 0')).toEqual([]);
  expect(lostFrom('all tickets except bugs', { type_not: 'bug' })).toEqual([]);
  expect(lostFrom('all tickets except bugs', {})).toEqual(['except']);
  expect(lostFrom('check if OPS is quiet', { project: 'OPS' })).toEqual([]);
  expect(lostFrom('list them if OPS is loud', { project: 'OPS' })).toEqual(['if']);
});

test('an order is accounted for by a step that carries it out, or by the text that it is in', () => {
  expect(lostFrom('count P1s in OPS, open a ticket in PAY', { project: 'OPS' })).toContain(
    'open a ticket in PAY',
  );
  expect(lostFrom('count P1s in PAY and page search, please', { project: 'PAY' })).toEqual(['page search']);
  expect(lostFrom('count P1s in PAY, then tell #ops', { project: 'PAY', to: '#ops' })).toEqual(['tell #ops']);
  expect(lostFrom('P1s in PAY, open tickets only, page by page', { project: 'PAY' })).toEqual([]);
  const page = { tool: 'pagerduty.page', args: { service: 'payments-api', text: 'look, open a ticket' } };
  const plan = planOf({ project: 'PAY' });
  const whole = { ...plan, steps: [...plan.steps, { ...plan.steps[0], ...page, id: 'b' } as Step] };
  const goal = 'count P1s in PAY, page payments: look, open a ticket';
  expect(unaccounted(planningInput(goal), whole)).toEqual([]);
});
