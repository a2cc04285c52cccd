import { expect, test } from 'vitest';
import type { Life } from '../../src/core/incident-history.ts';
import { momentsOf, timelineOf } from '../../src/incidents/duration-chart.ts';

const at = (minute: number) => new Date(Date.parse('2026-03-10T12:00:00Z') + minute * 60_000).toISOString();
const event = (kind: 'acknowledged' | 'resolved', minute: number) => ({
  ...{ key: `${kind}${minute}`, kind, at: at(minute), by: 'Ana Ruiz', to: [] },
});

function drawn(ackAt: number, endAt: number) {
  const life: Life = {
    ...{
      id: 'P1',
      number: 1,
      title: 'Down',
      state: 'resolved',
      url: '',
      openedAt: at(2),
      changedAt: at(endAt),
    },
    events: [event('acknowledged', ackAt), event('resolved', endAt)],
  };
  return timelineOf(momentsOf({ askedAt: at(0), approvedAt: at(1), life }));
}

test('each part of an incident is a bar, in the unit that its longest part is told in', () => {
  const chart = JSON.stringify(drawn(4, 64)?.message);
  expect(chart).toContain('"title":"Minutes per stage"');
  expect(chart.match(/"value":[\d.]+/g)).toEqual(['"value":1', '"value":1', '"value":2', '"value":60']);
  expect(JSON.stringify(drawn(3, 4)?.message)).toContain('"title":"Seconds per stage');
  expect(JSON.stringify(drawn(4, 600)?.message)).toContain('"title":"Hours per stage');
});

test('where nothing came after the page there is nothing to draw', () => {
  const life: Life = {
    ...{ id: 'P1', number: 1, title: 'Down', state: 'triggered', url: '', events: [] },
    ...{ openedAt: at(2), changedAt: at(2) },
  };
  expect(timelineOf(momentsOf({ askedAt: at(0), approvedAt: at(1), life }))).toBeNull();
});
