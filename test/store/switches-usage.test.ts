import { expect, test } from 'vitest';
import * as switches from '../../src/store/switches.ts';
import * as usage from '../../src/store/usage.ts';
import { auditRows, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('a switch is per team and shared by all processes, and the audit log says who turned it and why', async () => {
  const kill = { teamId: TEAM, name: 'kill', actor: 'U0ANA', reason: 'runaway pages', at: NOON };
  expect(await switches.get(store.db(), TEAM, 'kill')).toBeNull();
  await switches.set(store.db(), { ...kill, isOn: true });
  expect(await switches.get(store.second(), TEAM, 'kill')).toEqual({ ...kill, isOn: true });
  expect(await switches.get(store.second(), 'T0002', 'kill')).toBeNull();
  await switches.set(store.second(), {
    ...kill,
    isOn: false,
    actor: 'U0BEN',
    reason: 'fixed',
    at: minutes(5),
  });
  await switches.set(store.second(), { ...kill, name: 'announce', isOn: true });
  expect(await switches.get(store.db(), TEAM, 'kill')).toMatchObject({ isOn: false, actor: 'U0BEN' });
  expect(await switches.get(store.db(), TEAM, 'announce')).toMatchObject({
    isOn: true,
    reason: 'runaway pages',
  });
  const lines = await auditRows(store.db(), TEAM, 'switch:kill');
  expect(lines.map((line) => [line.kind, line.actor, line.data])).toEqual([
    ['switch.off', 'U0BEN', '{"reason":"fixed"}'],
    ['switch.on', 'U0ANA', '{"reason":"runaway pages"}'],
  ]);
});

test('the cost of model calls is summed per team from a given time', async () => {
  const call = {
    teamId: TEAM,
    requestId: 'r1',
    model: 'small',
    purpose: 'plan',
    promptTokens: 1_500,
    cachedTokens: 1_000,
  };
  const cost = { completionTokens: 300, usd: 0.0015, ms: 800 };
  await usage.record(store.db(), { ...call, ...cost, at: NOON });
  await usage.record(store.db(), { ...call, ...cost, purpose: 'repair', usd: 0.0005, at: minutes(1) });
  await usage.record(store.db(), { ...call, ...cost, requestId: null, at: minutes(2) });
  await usage.record(store.db(), { ...call, ...cost, teamId: 'T0002', at: minutes(2) });
  const usd = (since: Date) => usage.usdSince(store.db(), TEAM, since);
  expect(await usd(NOON)).toBeCloseTo(0.0035, 9);
  expect(await usd(minutes(1))).toBeCloseTo(0.002, 9);
  expect(await usd(minutes(3))).toBe(0);
});
