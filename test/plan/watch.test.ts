/** Why: a person who asks for a watch learns what it will do when nobody is there to ask. */
import { expect, test } from 'vitest';
import { cadenceWords } from '../../src/core/cadence.ts';
import type { Plan } from '../../src/core/plan.ts';
import { timesOf, withTimes } from '../../src/plan/watch.ts';
import { everydayPlanner } from '../support/everyday.ts';
import { planningInput } from '../support/planning.ts';

const monday = { now: new Date('2026-03-02T08:00:00Z'), zone: 'Europe/Berlin' };

/** The schedule as a card says it, and its end. */
function said(words: Readonly<Record<string, string>>): string {
  const found = timesOf(new Map(Object.entries(words)), monday);
  if (!found.ok) return found.why;
  const { every, until } = found.times;
  return [cadenceWords(every), ...(until === undefined ? [] : [`until ${until}`])].join(' ');
}

test.each([
  [{ every: '10 minutes' }, 'every 10 minutes'],
  [{ every: 'hour' }, 'every hour'],
  [{ every: 'half an hour' }, 'every 30 minutes'],
  [{ every: 'hourly' }, 'every hour'],
  [{ every: 'twice an hour' }, 'every 30 minutes'],
  [{ every: '15 min', days: 'weekdays' }, 'every 15 minutes on weekdays (Europe/Berlin)'],
  [{ every: 'toutes les 5 minutes' }, 'every 5 minutes'],
  [{ every: '20 Minuten' }, 'every 20 minutes'],
  [{ at: '9am', days: 'weekdays' }, 'every weekday at 09:00 (Europe/Berlin)'],
  [{ at: '8:30' }, 'every day at 08:30 (Europe/Berlin)'],
  [{ days: 'each morning' }, 'every day at 09:00 (Europe/Berlin)'],
  [{ at: '16:00', days: 'mon/wed/fri' }, 'every Monday, Wednesday and Friday at 16:00 (Europe/Berlin)'],
  [{ every: '5 min', until: 'friday' }, 'every 5 minutes until 2026-03-06T22:59Z'],
  [{ every: '5 min', until: '18:00' }, 'every 5 minutes until 2026-03-02T17:00Z'],
  [{ every: '5 min', until: '3 days' }, 'every 5 minutes until 2026-03-05T08:00Z'],
  [{ every: '10 seconds' }, 'minutes'],
  [{ every: '90s' }, 'minutes'],
  [{ every: '5 min', until: 'the cows come home' }, 'time'],
])('%o is %s', (words, expected) => {
  expect(said(words)).toBe(expected);
});

const count: Plan = {
  ...{ goal: 'g', summary: 's', inputs: [], assumptions: [], success: [] },
  steps: [
    { id: 'count', tool: 'jira.count', why: 'w', args: {}, needs: [], onError: 'stop', onSkip: 'skip' },
  ],
};

test('a watch that could never report is asked about, and a missing interval shows its guess', () => {
  const input = planningInput('watch OPS P1');
  expect(withTimes(count, new Map([['every', '5 min']]), input)).toMatchObject({
    answer: { kind: 'clarify', missing: ['bound'] },
  });
  expect(withTimes({ ...count, success: ['count.total <= 5'] }, new Map(), input)).toMatchObject({
    plan: { watch: { every: { minutes: 10 } }, assumptions: [expect.stringContaining('every 10 minutes')] },
  });
});

test('a change keeps the times it does not mention, and cannot turn a card into a watch', () => {
  const watch = { every: { minutes: 10 }, until: '2026-03-06T22:59Z' };
  const bound = { ...count, success: ['count.total <= 5'] };
  const of = (plan: Plan) => planningInput('g', { change: { plan, words: 'w' } });
  expect(withTimes(bound, new Map([['every', 'hour']]), of({ ...bound, watch }))).toMatchObject({
    plan: { watch: { every: { minutes: 60 }, until: '2026-03-06T22:59Z' } },
  });
  expect(withTimes(bound, new Map(), of({ ...bound, watch }))).toEqual({ plan: bound });
  expect(withTimes(bound, new Map([['every', 'hour']]), of(bound))).toMatchObject({
    answer: { kind: 'refuse', explanation: expect.stringContaining('can’t turn a card into a watch') },
  });
});

test.each([
  ['every 10 minutes check open P1s in OPS and page ops if there are more than 30', { minutes: 10 }],
  ['every hour post the P1 count of OPS to #ops', { minutes: 60 }],
  ['let me know when PAY-12 is done', { minutes: 10 }],
])('a watch is planned from words: %s', async (goal, every) => {
  const { answer } = await everydayPlanner.plan(planningInput(goal));
  expect(answer).toMatchObject({ plan: { watch: { every } } });
});
