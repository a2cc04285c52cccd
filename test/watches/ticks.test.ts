import { expect, test } from 'vitest';
import { dueTicks, firstTick } from '../../src/watches/next-tick.ts';

const berlin = (cron: string) => ({ cron, timezone: 'Europe/Berlin' });
const at = (iso: string) => new Date(iso);
const clock = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(11, 16));

test.each([
  ['0 * * * *', 'every hour', '2026-10-24T23:30Z', ['00:00', '01:00', '02:00']],
  [
    '*/30 * * * *',
    'every half hour',
    '2026-10-24T23:40Z',
    ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30'],
  ],
  ['30 2 * * *', 'once a day', '2026-10-24T23:40Z', ['00:30']],
  ['0 * * * *', 'every hour in spring', '2026-03-28T23:30Z', ['00:00', '01:00', '02:00']],
])('with %s comes %s, also when the clocks change', (cron, _words, from, expected) => {
  const until = new Date(Date.parse(from) + 3 * 3_600_000);
  expect(clock(dueTicks(berlin(cron), at(from), until).due)).toEqual(expected);
});

test.each([
  ['30 2 * * *', 'once a day', 'Europe/Berlin', '2027-03-27T23:30Z', ['01:00']],
  ['30 2 * * 0', 'once a week', 'Europe/Berlin', '2027-03-27T23:30Z', ['01:00']],
  ['30 2 * * 1', 'once a week on another day', 'Europe/Berlin', '2027-03-27T23:30Z', []],
  ['0-59/10 2 * * *', 'several of its times', 'Europe/Berlin', '2027-03-27T23:30Z', ['01:00']],
  ['*/30 2-3 * * *', 'times on both sides', 'Europe/Berlin', '2027-03-27T23:30Z', ['01:00', '01:30']],
  ['0 */2 * * *', 'every second hour', 'Europe/Berlin', '2027-03-27T22:30Z', ['23:00', '01:00']],
  ['30 * * * *', 'every hour', 'Europe/Berlin', '2027-03-27T23:40Z', ['00:30', '01:30', '02:30']],
  ['0 0 * * *', 'at midnight', 'Africa/Cairo', '2026-04-23T20:30Z', ['22:00']],
  ['10 2 * * *', 'in a gap of half an hour', 'Australia/Lord_Howe', '2026-10-03T14:40Z', ['15:30']],
])(
  'a time that the clocks leave out runs at the first minute after: %s, %s',
  (cron, _words, timezone, from, expected) => {
    const until = new Date(Date.parse(from) + 3 * 3_600_000);
    const every = { cron, timezone };
    expect(clock(dueTicks(every, at(from), until).due)).toEqual(expected);
    const [first] = expected;
    if (first !== undefined) expect(clock([firstTick(every, at(from))])).toEqual([first]);
  },
);

test('a cron line waits for its next minute, and one of next year looks at the clock again in a week', () => {
  const now = at('2026-01-10T08:00:20Z');
  expect(firstTick(berlin('0 9 * * *'), now)).toEqual(at('2026-01-11T08:00:00Z'));
  expect(dueTicks(berlin('0 9 * * *'), at('2026-01-10T08:00:00Z'), now)).toEqual({
    due: [at('2026-01-10T08:00:00Z')],
    next: at('2026-01-11T08:00:00Z'),
  });
  const far = dueTicks(berlin('0 0 1 12 *'), now, now);
  expect(far.due).toEqual([]);
  expect(far.next).toEqual(at('2026-01-18T08:00:00Z'));
});

test('an interval keeps its minutes, whatever it was late by', () => {
  const every = { minutes: 10 };
  const from = at('2026-01-10T08:03:00Z');
  expect(dueTicks(every, from, at('2026-01-10T08:03:02Z'))).toEqual({
    due: [from],
    next: at('2026-01-10T08:13:00Z'),
  });
  const late = dueTicks(every, from, at('2026-01-10T08:34:59Z'));
  expect(clock(late.due)).toEqual(['08:03', '08:13', '08:23', '08:33']);
  expect(late.next).toEqual(at('2026-01-10T08:43:00Z'));
});

test('after a long time away no more than a week of ticks counts', () => {
  const { due, next } = dueTicks({ minutes: 1 }, at('2025-01-01T00:00:00Z'), at('2026-01-10T08:00:30Z'));
  expect(due).toHaveLength(8 * 24 * 60);
  expect(due.at(-1)).toEqual(at('2026-01-10T08:00:00Z'));
  expect(next).toEqual(at('2026-01-10T08:01:00Z'));
});
