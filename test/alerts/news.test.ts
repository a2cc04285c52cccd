import { expect, test } from 'vitest';
import { newsIn } from '../../src/alerts/news.ts';
import type { Alert } from '../../src/core/alert.ts';
import type { AlertRow } from '../../src/store/tables.ts';

const noon = Date.parse('2026-11-29T12:00:00Z');
const at = (minutes: number) => new Date(noon + minutes * 60_000);

function reported(state: Alert['state'], since: number | null, until: number | null = null): Alert {
  return {
    ...{ fingerprint: 'f', state, labels: {}, title: 'T', text: '', link: '' },
    since: since === null ? null : at(since).toISOString(),
    until: until === null ? null : at(until).toISOString(),
  };
}

/** The state after some reports, each with the minute it arrives. */
function after(...reports: readonly (readonly [minute: number, alert: Alert])[]) {
  let row: AlertRow | undefined;
  for (const [minute, alert] of reports) {
    const known = new Map(row === undefined ? [] : [['f', row]]);
    row = newsIn([alert], known, { teamId: 'T', door: 'd', at: at(minute) })[0] ?? row;
  }
  return row === undefined ? null : { state: row.state, since: row.since, until: row.until };
}

test('the end of an alert keeps its beginning', () => {
  expect(after([1, reported('firing', 0)], [5, reported('resolved', 0, 4)])).toEqual({
    ...{ state: 'resolved', since: at(0), until: at(4) },
  });
});

test('a late report of the beginning does not reopen an alert', () => {
  expect(after([5, reported('resolved', 0, 4)], [6, reported('firing', 0)])).toMatchObject({
    state: 'resolved',
  });
});

test('an alert that fires again with a new beginning is open', () => {
  expect(after([5, reported('resolved', 0, 4)], [6, reported('firing', 5)])).toEqual({
    ...{ state: 'firing', since: at(5), until: null },
  });
});

test('the same beginning reported long after the end counts: monitoring had lost sight of it', () => {
  expect(after([5, reported('resolved', 0, 4)], [15, reported('firing', 0)])).toMatchObject({
    state: 'firing',
  });
});

test('the end of an earlier time does not close a later one', () => {
  expect(after([10, reported('firing', 9)], [11, reported('resolved', 0, 4)])).toMatchObject({
    state: 'firing',
  });
});

test('an end whose beginning differs a little closes the alert: two Prometheus servers report it', () => {
  expect(after([10, reported('firing', 9)], [14, reported('resolved', 8, 13)])).toMatchObject({
    state: 'resolved',
  });
});

test('alerts without times follow their reports', () => {
  const story = [
    [1, reported('firing', null)],
    [2, reported('firing', null)],
    [3, reported('resolved', null)],
  ] as const;
  expect(after(...story)).toEqual({ state: 'resolved', since: at(1), until: at(3) });
  expect(after(...story, [4, reported('firing', null)])).toEqual({
    state: 'firing',
    since: at(4),
    until: null,
  });
});

test('a beginning in the future is now', () => {
  expect(after([1, reported('firing', 90)])).toMatchObject({ since: at(1) });
});

test('of two reports about one alert in a delivery both count', () => {
  const both = [reported('firing', 0), reported('resolved', 0, 1)];
  const [row, ...others] = newsIn(both, new Map(), { teamId: 'T', door: 'd', at: at(2) });
  expect(others).toEqual([]);
  expect(row).toMatchObject({ state: 'resolved', since: at(0), until: at(1) });
});
