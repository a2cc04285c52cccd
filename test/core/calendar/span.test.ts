import { describe, expect, test } from 'vitest';
import { calendarWords, type Here, spanOf } from '../../../src/core/calendar/span.ts';

const madrid = 'Europe/Madrid';
/** A Tuesday, 13:00 in Madrid. */
const noon = '2026-03-10T12:00:00Z';

/** `2026-03-10T00:00/2026-03-11T00:00` in UTC, or one moment; null for no time. */
function said(words: string, { zone = 'UTC', now = noon, aim = 'past' as Here['aim'] } = {}): string | null {
  const span = spanOf(words, { now: new Date(now), zone, aim });
  const [from, to] = [span?.from, span?.to].map((moment) => moment?.toISOString().slice(0, 16));
  return from === undefined ? null : from === to ? from : `${from}/${to}`;
}

describe('looking back', () => {
  test.each([
    ['now', '2026-03-10T12:00'],
    ['today', '2026-03-10T00:00/2026-03-11T00:00'],
    ['Yesterday', '2026-03-09T00:00/2026-03-10T00:00'],
    ['day before yesterday', '2026-03-08T00:00/2026-03-09T00:00'],
    ['tuesday', '2026-03-10T00:00/2026-03-11T00:00'],
    ['on Friday', '2026-03-06T00:00/2026-03-07T00:00'],
    ['last tuesday', '2026-03-03T00:00/2026-03-04T00:00'],
    ['last wed', '2026-03-04T00:00/2026-03-05T00:00'],
    ['since this week', '2026-03-09T00:00/2026-03-16T00:00'],
    ['last week', '2026-03-02T00:00/2026-03-09T00:00'],
    ['start of the week', '2026-03-09T00:00'],
    ['over the weekend', '2026-03-07T00:00/2026-03-09T00:00'],
    ['last weekend', '2026-03-07T00:00/2026-03-09T00:00'],
    ['this month', '2026-03-01T00:00/2026-04-01T00:00'],
    ['last month', '2026-02-01T00:00/2026-03-01T00:00'],
    ['this quarter', '2026-01-01T00:00/2026-04-01T00:00'],
    ['last quarter', '2025-10-01T00:00/2026-01-01T00:00'],
    ['last year', '2025-01-01T00:00/2026-01-01T00:00'],
    ['january', '2026-01-01T00:00/2026-02-01T00:00'],
    ['in october', '2025-10-01T00:00/2025-11-01T00:00'],
    ['march', '2026-03-01T00:00/2026-04-01T00:00'],
    ['last march', '2025-03-01T00:00/2025-04-01T00:00'],
    ['last december', '2025-12-01T00:00/2026-01-01T00:00'],
    ['october 2024', '2024-10-01T00:00/2024-11-01T00:00'],
    ['2025-10', '2025-10-01T00:00/2025-11-01T00:00'],
    ['on 12 nov', '2025-11-12T00:00/2025-11-13T00:00'],
    ['november 12th 2024', '2024-11-12T00:00/2024-11-13T00:00'],
    ['christmas', '2025-12-25T00:00/2025-12-26T00:00'],
    ['this morning', '2026-03-10T00:00/2026-03-10T12:00'],
    ['this afternoon', '2026-03-10T12:00/2026-03-10T18:00'],
    ['last night', '2026-03-09T18:00/2026-03-10T06:00'],
    ['overnight', '2026-03-09T18:00/2026-03-10T06:00'],
    ['night', '2026-03-09T18:00/2026-03-10T06:00'],
    ['yesterday evening', '2026-03-09T18:00/2026-03-10T00:00'],
    ['friday night', '2026-03-06T18:00/2026-03-07T06:00'],
    ['tuesday night', '2026-03-03T18:00/2026-03-04T06:00'],
    ['11:30', '2026-03-10T11:30'],
    ['13:30', '2026-03-09T13:30'],
    ['since 3am', '2026-03-10T03:00'],
    ['last night 02:00 to last night 04:00', '2026-03-10T02:00/2026-03-10T04:00'],
    ['last night 9:00', '2026-03-09T21:00'],
    ['last night midnight', '2026-03-10T00:00'],
    ['this morning at 2am', '2026-03-10T02:00'],
    ['friday night 1:30', '2026-03-07T01:30'],
    ['the night of the 4th', '2026-03-04T18:00/2026-03-05T06:00'],
    ['on the 14th', '2026-02-14T00:00/2026-02-15T00:00'],
    ['the morning of march 4', '2026-03-04T00:00/2026-03-04T12:00'],
    ['night of friday', '2026-03-06T18:00/2026-03-07T06:00'],
    ['friday last week', '2026-03-06T00:00/2026-03-07T00:00'],
    ['between monday and thursday last week', '2026-03-02T00:00/2026-03-06T00:00'],
    ['tuesday to thursday 2 weeks ago', '2026-02-24T00:00/2026-02-27T00:00'],
    ['2 weeks ago', '2026-02-23T00:00/2026-03-02T00:00'],
    ['week of march 4', '2026-03-02T00:00/2026-03-09T00:00'],
    ['midnight', '2026-03-10T00:00'],
    ['noon', '2026-03-10T12:00'],
    ['yesterday 14:05', '2026-03-09T14:05'],
    ['yesterday at 3 pm', '2026-03-09T15:00'],
    ['tuesday at 13:30', '2026-03-03T13:30'],
    ['today 13:30', '2026-03-10T13:30'],
    ['2026-03-10 13:30', '2026-03-10T13:30'],
    ['2026-03-11 09:00', '2026-03-11T09:00'],
    ['2026-03-01', '2026-03-01T00:00/2026-03-02T00:00'],
    ['2026-03-01T10:00+02:00', '2026-03-01T08:00'],
    ['monday to wednesday', '2026-03-02T00:00/2026-03-05T00:00'],
    ['between friday and monday', '2026-03-06T00:00/2026-03-10T00:00'],
    ['from 22:00 to 02:00', '2026-03-09T22:00/2026-03-10T02:00'],
    ['october to december', '2025-10-01T00:00/2026-01-01T00:00'],
  ])('“%s” is the latest one', (words, expected) => {
    expect(said(words)).toBe(expected);
  });

  test('days and hours are those of the zone, and a stated zone wins', () => {
    const late = { zone: madrid, now: '2026-03-09T23:30:00Z' };
    expect(said('today', late)).toBe('2026-03-09T23:00/2026-03-10T23:00');
    expect(said('monday', late)).toBe('2026-03-08T23:00/2026-03-09T23:00');
    expect(said('this week', late)).toBe('2026-03-08T23:00/2026-03-15T23:00');
    expect(said('14:00', { zone: madrid })).toBe('2026-03-09T13:00');
    expect(said('11:00 utc', { zone: madrid })).toBe('2026-03-10T11:00');
    expect(said('11:00 Asia/Kolkata', { zone: madrid })).toBe('2026-03-10T05:30');
    expect(said('yesterday Europe/Madrid')).toBe('2026-03-08T23:00/2026-03-09T23:00');
    expect(said('11:00 Europe/Nowhere')).toBeNull();
  });

  test('at the edges of a week and of a month, “last” is the one that is over', () => {
    const sunday = { now: '2026-03-15T22:00:00Z' };
    expect(said('this week', sunday)).toBe('2026-03-09T00:00/2026-03-16T00:00');
    expect(said('last weekend', sunday)).toBe('2026-03-07T00:00/2026-03-09T00:00');
    expect(said('weekend', sunday)).toBe('2026-03-14T00:00/2026-03-16T00:00');
    const monday = { now: '2026-03-16T00:00:00Z' };
    expect(said('last week', monday)).toBe('2026-03-09T00:00/2026-03-16T00:00');
    expect(said('weekend', monday)).toBe('2026-03-14T00:00/2026-03-16T00:00');
    expect(said('sunday', monday)).toBe('2026-03-15T00:00/2026-03-16T00:00');
    expect(said('last month', { now: '2026-03-31T12:00:00Z' })).toBe('2026-02-01T00:00/2026-03-01T00:00');
    expect(said('last quarter', { now: '2026-01-31T12:00:00Z' })).toBe('2025-10-01T00:00/2026-01-01T00:00');
    expect(said('29 february', { now: '2024-03-01T00:00:00Z' })).toBe('2024-02-29T00:00/2024-03-01T00:00');
  });

  test('a day with a clock change has 23 or 25 hours', () => {
    const change = { zone: madrid, now: '2026-03-30T08:00:00Z' };
    expect(said('sunday', change)).toBe('2026-03-28T23:00/2026-03-29T22:00');
    expect(said('last week', change)).toBe('2026-03-22T23:00/2026-03-29T22:00');
    expect(said('saturday night', change)).toBe('2026-03-28T17:00/2026-03-29T04:00');
    expect(said('2026-10-25', change)).toBe('2026-10-24T22:00/2026-10-25T23:00');
  });

  test('at three in the morning “this morning”, “tonight” and “last night” have begun', () => {
    const early = { now: '2026-03-10T03:00:00Z' };
    expect(said('this morning', early)).toBe('2026-03-10T00:00/2026-03-10T12:00');
    expect(said('tonight', early)).toBe('2026-03-09T18:00/2026-03-10T06:00');
    expect(said('last night', early)).toBe('2026-03-09T18:00/2026-03-10T06:00');
  });

  test.each([
    ...[
      '',
      'soon',
      '25:00',
      '13pm',
      '2026-13-45',
      '2026-02-30',
      '2026-02-30 03:00',
      'now; drop',
      'noon 14:00',
    ],
    ...['last', 'next', 'smonday', 'someday', 'this sprint', 'constructor', 'last constructor', '1 OR 1'],
    ...['2026-03-01" OR "', '30 february', 'monday to', 'a to b'],
  ])('“%s” is not a time', (words) => {
    expect(said(words)).toBeNull();
  });
});

describe('in a rota', () => {
  const rota = { zone: madrid, aim: 'coming' as const };

  test.each([
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
    ['in the morning', '2026-03-11T05:00/2026-03-11T11:00'],
    ['tomorrow evening', '2026-03-11T17:00/2026-03-11T21:00'],
    ['today', '2026-03-09T23:00/2026-03-10T23:00'],
    ['on friday', '2026-03-12T23:00/2026-03-13T23:00'],
    ['last fri', '2026-03-05T23:00/2026-03-06T23:00'],
    ['tuesday', '2026-03-09T23:00/2026-03-10T23:00'],
    ['next tuesday', '2026-03-16T23:00/2026-03-17T23:00'],
    ['next monday 09:00', '2026-03-16T08:00'],
    ['in 3 days', '2026-03-13T12:00'],
    ['In 90 minutes', '2026-03-10T13:30'],
    ['last week', '2026-03-01T23:00/2026-03-08T23:00'],
    ['the weekend', '2026-03-13T23:00/2026-03-15T23:00'],
    ['next weekend', '2026-03-20T23:00/2026-03-22T23:00'],
    ['midnight', '2026-03-10T23:00'],
    ['christmas', '2026-12-24T23:00/2026-12-25T23:00'],
    ['12 jan', '2027-01-11T23:00/2027-01-12T23:00'],
    ['friday, 27 november at 18:00', '2026-11-27T17:00'],
    ['Nov 27, 2026', '2026-11-26T23:00/2026-11-27T23:00'],
  ])('“%s” is the coming one', (words, expected) => {
    expect(said(words, rota)).toBe(expected);
  });

  test('before six in the morning “last night” and “tonight” are relative to the current night', () => {
    const early = { aim: 'coming' as const, now: '2026-03-10T02:30:00Z' };
    expect(said('last night', early)).toBe('2026-03-08T22:00/2026-03-09T06:00');
    expect(said('tonight', early)).toBe('2026-03-09T22:00/2026-03-10T06:00');
  });

  test('the clocks may change during a night or a day', () => {
    expect(said('2026-03-28 night', rota)).toBe('2026-03-28T21:00/2026-03-29T04:00');
    expect(said('2026-03-29', rota)).toBe('2026-03-28T23:00/2026-03-29T22:00');
  });
});

test('every calendar word is part of a time', () => {
  for (const word of calendarWords) expect(said(word) ?? said(`last ${word}`), word).not.toBeNull();
});
