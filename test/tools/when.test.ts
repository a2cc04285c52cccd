import { expect, test } from 'vitest';
import { spanOf } from '../../tools/when.ts';

const madrid = 'Europe/Madrid';
/** A Tuesday, 13:00 in Madrid. */
const noon = new Date('2026-03-10T12:00:00Z');

function said(words: string, zone = madrid, now = noon): string {
  const { since, until } = spanOf(words, zone, now);
  const [from, to] = [since, until].map((moment) => moment.toISOString().slice(0, 16));
  return from === to ? String(from) : `${from}/${to}`;
}

test.each([
  ['now', '2026-03-10T12:00'],
  ['03:00', '2026-03-10T02:00'],
  ['at 3:00', '2026-03-10T02:00'],
  ['yesterday 03:00', '2026-03-09T02:00'],
  ['2026-03-08', '2026-03-07T23:00/2026-03-08T23:00'],
  ['2026-03-08 03:00', '2026-03-08T02:00'],
  ['2026-03-08T03:00Z', '2026-03-08T03:00'],
  ['2026-03-08T03:00:00+02:00', '2026-03-08T01:00'],
  ['Last  Night', '2026-03-09T21:00/2026-03-10T05:00'],
  ['tonight', '2026-03-10T21:00/2026-03-11T05:00'],
  ['this morning', '2026-03-10T05:00/2026-03-10T11:00'],
  ['tomorrow evening', '2026-03-11T17:00/2026-03-11T21:00'],
  ['today', '2026-03-09T23:00/2026-03-10T23:00'],
  ['on friday', '2026-03-12T23:00/2026-03-13T23:00'],
  ['last fri', '2026-03-05T23:00/2026-03-06T23:00'],
  ['tuesday', '2026-03-09T23:00/2026-03-10T23:00'],
  ['next tuesday', '2026-03-16T23:00/2026-03-17T23:00'],
  ['next monday 09:00', '2026-03-16T08:00'],
  ['last week', '2026-03-01T23:00/2026-03-08T23:00'],
  ['the weekend', '2026-03-13T23:00/2026-03-15T23:00'],
  ['midnight', '2026-03-10T23:00'],
])('“%s” is understood in the time zone of the rota', (words, expected) => {
  expect(said(words)).toBe(expected);
});

test('before six in the morning “last night” and “tonight” are the night that is not over', () => {
  const early = new Date('2026-03-10T02:30:00Z');
  expect(said('last night', 'UTC', early)).toBe('2026-03-08T22:00/2026-03-09T06:00');
  expect(said('tonight', 'UTC', early)).toBe('2026-03-09T22:00/2026-03-10T06:00');
});

test('the clocks may change in a night and on a day', () => {
  expect(said('2026-03-28 night', madrid)).toBe('2026-03-28T21:00/2026-03-29T04:00');
  expect(said('2026-03-29', madrid)).toBe('2026-03-28T23:00/2026-03-29T22:00');
});

test.each(['soon', '25:00', '2026-13-40', '2026-02-30 03:00', 'last', 'smonday', 'next'])(
  '“%s” is no time, and the error says what is',
  (words) => {
    expect(() => spanOf(words, 'UTC', noon)).toThrow(/is not a time that I know\. Write one like now, 03:00/);
  },
);
