import { expect, test } from 'vitest';
import { cadenceWords } from '../../src/core/cadence.ts';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { lexiconFor } from '../../src/plan/offline/words/lexicon.ts';
import { readText } from '../../src/plan/offline/words/text.ts';
import { watchFirst } from '../../src/plan/watch.ts';
import { readWatch } from '../../src/plan/watch-times.ts';
import { planningInput } from '../support/planning.ts';

/** A Wednesday. */
const now = new Date('2026-11-18T10:00:00Z');

function read(goal: string): string {
  const input = { ...planningInput(goal), now };
  const watched = readWatch(readText(goal, input, lexiconFor(input.catalogue)), now, 'Europe/Berlin');
  if (watched === null) return 'once';
  const { times, rest } = watched;
  const worse = times.worse === undefined ? '' : ` worse ${times.worse.by} ${times.worse.unit}`;
  return `${cadenceWords(times.every)} until ${times.until ?? '-'}${worse}: ${rest}`;
}

test.each([
  [
    'Watch OPS P1 every 10 minutes and page me over 30, until Friday',
    'every 10 minutes until 2026-11-20T22:59Z: OPS P1 and page me over 30',
  ],
  [
    'watch open P1 tickets in OPS every half hour for 3 days, tell me when there are more than 20',
    'every 30 minutes until 2026-11-21T10:00Z: open P1 tickets in OPS, tell me when there are more than 20',
  ],
  [
    'watch OPS P1 every 10 minutes and page ops over 20, for 3 days',
    'every 10 minutes until 2026-11-21T10:00Z: OPS P1 and page ops over 20',
  ],
  ['OPS P1 every 15m and page ops over 20', 'every 15 minutes until -: OPS P1 and page ops over 20'],
  ['monitor OPS P1 over 30', 'every 10 minutes until -: OPS P1 over 30'],
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
  ['keep an eye on OPS P1 every other hour', 'every 2 hours until -: OPS P1'],
  ['who is on call for ops every week', 'every 7 days until -: who is on call for ops'],
  [
    'tell #ops daily how many P1 are open, and again when it gets worse by 5%',
    'every day at 09:00 (Europe/Berlin) until - worse 5 percent: tell #ops how many P1 are open',
  ],
  [
    'post the P1 count of OPS to #ops every day at 9',
    'every day at 09:00 (Europe/Berlin) until -: post the P1 count of OPS to #ops',
  ],
  [
    'each friday 4pm show closed tickets of OPS',
    'every Friday at 16:00 (Europe/Berlin) until -: show closed tickets of OPS',
  ],
  [
    'mondays 10:00: unassigned tickets OPS',
    'every Monday at 10:00 (Europe/Berlin) until -: unassigned tickets OPS',
  ],
  [
    'every weekday at 8:45 Madrid time and at 15:45 UTC how many P1?',
    'every weekday at 08:45 (Europe/Madrid) until -: and at 15:45 UTC how many P1?',
  ],
  [
    'every day at 9 and at 15 how many P1?',
    'every day at 09:00 and 15:00 (Europe/Berlin) until -: how many P1?',
  ],
  [
    'every 30 minutes until 6pm post open incidents on checkout to #ops',
    'every 30 minutes until 2026-11-18T17:00Z: post open incidents on checkout to #ops',
  ],
  [
    'watch OPS P1 over 30 until the end of december',
    'every 10 minutes until 2026-12-31T22:59Z: OPS P1 over 30',
  ],
  ['tell me when PAY-12 is done', 'every 10 minutes until -: tell me when PAY-12 is done'],
])('%s', (goal, expected) => {
  expect(read(goal)).toBe(expected);
});

test.each([
  'how many P1 tickets are open in OPS?',
  'page every engineer on call for ops',
  'who is on call for ops until Friday?',
  'comment on every ticket of the last 3 days',
  'close each ticket that is older than a week',
  'tell me if PAY-12 is done',
  'page ops when PAY-12 breaches',
  'page ops: backup fails every night',
  'page ops, every night the backup fails',
])('%s is done once', (goal) => {
  expect(read(goal)).toBe('once');
});

test('an end in the past is read as it was said', () => {
  expect(read('watch OPS P1 over 30 every hour until 2020-01-01')).toContain('until 2020-01-01T22:59Z');
});

test('a bound alone says when a watch speaks, of what is looked up and of what is ordered', async () => {
  const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));
  const boundOf = async (goal: string) => {
    const { answer } = await planner.plan(planningInput(goal));
    if (answer.kind !== 'plan') return answer.kind;
    const { steps, success } = answer.plan;
    return [...success, ...steps.flatMap(({ tool, when }) => (when ? [`${tool} if ${when}`] : []))].join();
  };
  expect(await boundOf('monitor OPS P1 over 30')).toBe('count.total <= 30');
  expect(await boundOf('watch incidents of ops over 2')).toBe('incidents.total <= 2');
  expect(await boundOf('watch open tickets in OPS, tell me when there are more than 20')).toBe(
    'count.total <= 20',
  );
  expect(await boundOf('OPS P1 every 15m and page ops over 20')).toBe('pagerduty.page if count.total > 20');
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
