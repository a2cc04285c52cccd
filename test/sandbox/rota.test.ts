/** Why: a test that starts near the handoff must find the same people as one that starts at noon. */
import { expect, test } from 'vitest';
import { alert } from '../../sandbox/incident.ts';
import { PagerDutyStore } from '../../sandbox/pagerduty/store.ts';
import { world } from '../../sandbox/world.ts';

test('at any time of day the alert from before the start is with the person on call now, and for two hours more', () => {
  const minutes = Array.from({ length: 24 * 12 }, (_one, nth) => nth * 5);
  const others = minutes.flatMap((minute) => {
    let clock = new Date(Date.UTC(2026, 2, 10, 0, minute));
    const store = new PagerDutyStore(world, () => clock, [alert]);
    const notified = store.incidents()[0]?.notified.map(({ user }) => user);
    const began = clock.toISOString();
    clock = new Date(clock.getTime() + 2 * 3_600_000 - 1);
    const later = world.pagerduty.services.map((service) => store.rota(service).at(clock).user);
    const seen = [...(notified ?? []), ...later];
    return seen.join() === 'PCHIARA01,PANA01,PBEN01,PCHIARA01' ? [] : [{ began, seen }];
  });
  expect(others).toEqual([]);
});
