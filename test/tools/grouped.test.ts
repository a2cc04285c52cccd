import { expect, test } from 'vitest';
import { grouped } from '../../tools/grouped.ts';

const at = (time: string, count = 1) => ({ of: new Date(time), count });
const cells = (...args: Parameters<typeof grouped>) =>
  grouped(...args).groups.map(({ cells }) => cells.join(' '));
const tickets = { zone: 'UTC', what: 'tickets' };

test('groups come largest first, then by name, with their shares', () => {
  const all = ['b', 'a', 'c', 'c', ''].map((of) => ({ of, count: 1 }));
  expect(cells(all, { ...tickets, by: 'host' })).toEqual(['c 2 40 %', 'none 1 20 %', 'a 1 20 %', 'b 1 20 %']);
  expect(grouped([], { ...tickets, by: 'host' })).toMatchObject({ groups: [], group_total: 0 });
});

test('an hour in which nothing was is a zero', () => {
  const all = [at('2026-03-10T10:59:59Z'), at('2026-03-10T13:00:00Z', 3)];
  expect(cells(all, { ...tickets, by: 'hour' })).toEqual([
    '2026-03-10 10:00 1 25 %',
    '2026-03-10 11:00 0 0 %',
    '2026-03-10 12:00 0 0 %',
    '2026-03-10 13:00 3 75 %',
  ]);
});

test('days and weeks are those of the zone; a week begins on Monday', () => {
  const all = [at('2026-03-08T23:30:00Z'), at('2026-03-16T12:00:00Z')];
  const madrid = { ...tickets, zone: 'Europe/Madrid' };
  expect(cells(all, { ...madrid, by: 'week' })).toEqual(['2026-03-09 1 50 %', '2026-03-16 1 50 %']);
  expect(cells(all.slice(0, 1), { ...madrid, by: 'day' })).toEqual(['2026-03-09 1 100 %']);
  expect(cells(all.slice(0, 1), { ...tickets, by: 'day' })).toEqual(['2026-03-08 1 100 %']);
});

test('at most 50 groups are kept: the largest, or the latest', () => {
  const hosts = Array.from({ length: 60 }, (_none, index) => ({ of: `h${index}`, count: index }));
  const most = grouped(hosts, { ...tickets, by: 'host' });
  expect([most.group_total, most.groups.length, most.groups[0]?.cells[0]]).toEqual([60, 50, 'h59']);
  const days = grouped([at('2026-01-01T00:00:00Z'), at('2026-03-01T00:00:00Z')], { ...tickets, by: 'day' });
  expect([days.group_total, days.groups.length, days.groups.at(-1)?.cells[0]]).toEqual([
    60,
    50,
    '2026-03-01',
  ]);
});
