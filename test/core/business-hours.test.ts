import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BusinessHours, momentAfter, workedMs } from '../../src/core/business-hours.ts';
import { durationMs } from '../../src/core/duration.ts';

const hour = 3_600_000;
const office: BusinessHours = {
  ...{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' },
  holidays: ['2026-04-06'],
};
const worked = (from: string, to: string, hours = office) =>
  workedMs(new Date(from), new Date(to), hours) / hour;
const after = (from: string, hours: number, own = office) =>
  momentAfter(new Date(from), hours * hour, own)?.toISOString() ?? null;

test('nights, weekends and holidays do not count', () => {
  // Friday 16:00 to Monday 10:00 in Berlin, which is an hour ahead of UTC in winter.
  expect(worked('2026-03-06T15:00Z', '2026-03-09T09:00Z')).toBe(2);
  expect(worked('2026-03-07T00:00Z', '2026-03-08T20:00Z')).toBe(0);
  expect(worked('2026-03-09T08:30Z', '2026-03-09T08:45Z')).toBe(0.25);
  // Easter Monday is a holiday.
  expect(worked('2026-04-03T07:00Z', '2026-04-07T07:00Z')).toBe(8);
  expect(worked('2026-03-09T12:00Z', '2026-03-09T10:00Z')).toBe(0);
});

test('the time runs out in business hours, even across a weekend', () => {
  expect(after('2026-03-06T15:00Z', 2)).toBe('2026-03-09T09:00:00.000Z');
  expect(after('2026-03-07T03:00Z', 8)).toBe('2026-03-09T16:00:00.000Z');
  expect(after('2026-03-09T08:00Z', 100_000)).toBeNull();
});

test('a day with a clock change has its real length', () => {
  const always: BusinessHours = {
    ...office,
    days: [1, 2, 3, 4, 5, 6, 7],
    from: '00:00',
    to: '24:00',
    holidays: [],
  };
  expect(worked('2026-03-28T23:00Z', '2026-03-29T22:00Z', always)).toBe(23);
  expect(worked('2026-10-24T22:00Z', '2026-10-25T23:00Z', always)).toBe(25);
});

test('the time worked until the deadline is the given time, for any start', () => {
  const moment = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) });
  fc.assert(
    fc.property(moment, fc.integer({ min: 1, max: 200 * hour }), (start, ms) => {
      const end = momentAfter(new Date(start), ms, office);
      expect(end === null ? null : workedMs(new Date(start), end, office)).toBe(ms);
    }),
  );
});

test('durations of fixed length are understood, even as people write them, and no others', () => {
  expect(['4h', '90 min', '2 days', '1 Week'].map((said) => (durationMs(said) ?? 0) / hour)).toEqual([
    4, 1.5, 48, 168,
  ]);
  expect(['PT4H', 'P1DT2H', 'P2W', 'PT90S'].map((iso) => (durationMs(iso) ?? 0) / hour)).toEqual([
    4, 26, 336, 0.025,
  ]);
  for (const iso of ['P1M', 'P1Y', 'P', 'PT', 'P1DT', '4 hoursx', '-5m', '5', '', 'PT4H OR 1'])
    expect(durationMs(iso)).toBeNull();
});
