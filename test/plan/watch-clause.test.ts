import { expect, test } from 'vitest';
import { cadenceWords } from '../../src/core/cadence.ts';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { readWatchClause } from '../../src/plan/watch-clause.ts';
import { watchFirst } from '../../src/plan/watch-first.ts';
import { planningInput } from '../support/planning.ts';

/** A Wednesday. */
const now = new Date('2026-11-18T10:00:00Z');

function read(goal: string): string {
  const clause = readWatchClause(goal, now, 'Europe/Berlin');
  if (clause === null) return 'once';
  const { times, rest, bound } = clause;
  const worse = times.worse === undefined ? '' : ` worse ${times.worse.by} ${times.worse.unit}`;
  const limit = bound === null ? '' : ` [${bound.of}: ${bound.words}, ${bound.act ?? 'tell'}]`;
  return `${cadenceWords(times.every)} until ${times.until ?? '-'}${worse}: ${rest}${limit}`;
}

test.each([
  [
    'Watch OPS P1 every 10 minutes and page me over 30, until Friday',
    'every 10 minutes until 2026-11-20T22:59Z: OPS P1 and page me over 30 [OPS P1: more than 30, page me]',
  ],
  [
    'watch open P1 tickets in OPS every half hour for 3 days, tell me when there are more than 20',
    'every 30 minutes until 2026-11-21T10:00Z: open P1 tickets in OPS, tell me when there are more than 20 [open P1 tickets in OPS: more than 20, tell]',
  ],
  ['OPS P1 every 15m and page ops over 20', 'every 15 minutes until -: OPS P1 and page ops over 20'],
  ['monitor OPS P1 over 30', 'every 10 minutes until -: OPS P1 over 30 [OPS P1: more than 30, tell]'],
  [
    'hourly, check open P1 tickets in OPS against the SLA and page on-call if breached',
    'every hour until -: check open P1 tickets in OPS against the SLA and page on-call if breached',
  ],
  [
    'each morning at 8:30 how many P1 tickets are open in OPS?',
    'every day at 08:30 (Europe/Berlin) until -: how many P1 tickets are open in OPS?',
  ],
  [
    'who is on call for ops every weekday at 9',
    'every weekday at 09:00 (Europe/Berlin) until -: who is on call for ops',
  ],
  [
    'who is on call for ops every monday and thursday at 5 pm until the end of the week',
    'every Monday and Thursday at 17:00 (Europe/Berlin) until 2026-11-22T22:59Z: who is on call for ops',
  ],
  [
    'if OPS has more than 20 open P1 tickets, page ops; every 2 hours until 2026-11-27 18:00, worse by 10 %',
    'every 2 hours until 2026-11-27T17:00Z worse 10 percent: if OPS has more than 20 open P1 tickets, page ops',
  ],
])('%s', (goal, expected) => {
  expect(read(goal)).toBe(expected);
});

test.each([
  'how many P1 tickets are open in OPS?',
  'page every engineer on call for ops',
  'who is on call for ops until Friday?',
  'comment on every ticket of the last 3 days',
  'close each ticket that is older than a week',
])('%s is done once', (goal) => {
  expect(read(goal)).toBe('once');
});

test('an end in the past is read as it was said', () => {
  expect(read('watch OPS P1 over 30 every hour until 2020-01-01')).toContain('until 2020-01-01T22:59Z');
});

test('what is watched is counted while it is open, unless a time is named', async () => {
  const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));
  const statusOf = async (goal: string) => {
    const { answer } = await planner.plan(planningInput(goal));
    return answer.kind === 'plan' ? answer.plan.steps[0]?.args.status : answer.kind;
  };
  expect(await statusOf('watch tickets about redis in OPS over 3')).toBe('open');
  expect(await statusOf('watch OPS P1 over 30')).toBe('open');
  expect(await statusOf('watch P1 created in OPS today over 3')).toBe(undefined);
});
