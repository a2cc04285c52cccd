import { describe, expect, test } from 'vitest';
import type { Life, LifeEvent } from '../../src/core/incident-history.ts';
import {
  type Followed,
  type FollowPort,
  type FollowStep,
  followRound,
  incidentChanged,
  pauseFor,
} from '../../src/incidents/follow.ts';

const opened = new Date('2026-03-10T12:00:00Z');
const minute = 60_000;

const acknowledged: LifeEvent = {
  key: 'L1',
  kind: 'acknowledged',
  at: '2026-03-10T12:02:00Z',
  by: 'Ana Ruiz',
  to: [],
};
const life = (over: Partial<Life> = {}): Life => ({
  ...{ id: 'P1', number: 1, title: 'Down', state: 'triggered', url: '', events: [] },
  ...{ openedAt: '2026-03-10T12:00:00Z', changedAt: '2026-03-10T12:00:00Z' },
  ...over,
});

/** One incident in memory. */
function port(answer: () => Life | null, { at = 0, row = {} as Partial<Followed>, isTold = false } = {}) {
  let now: Followed = { id: 'P1', life: null, told: [], openedAt: opened, failures: 0, ...row };
  const steps: FollowStep[] = [];
  const it: FollowPort = {
    adopt: async () => undefined,
    due: async () => [now],
    get: async () => now,
    isBusy: async () => false,
    putOff: async () => undefined,
    life: async () => answer(),
    ownChanges: async () => [],
    async advance(_seen, step) {
      const made = step(now);
      if (made === null) return;
      steps.push(made);
      const told = [...now.told, ...made.fresh.map(({ key }) => key)];
      now = { ...now, life: made.life, told, failures: made.failures };
    },
    ...{ isTold, now: () => new Date(opened.getTime() + at), log: { info() {}, warn() {}, error() {} } },
  };
  return { it, steps };
}

const failing = (): Life => {
  throw new TypeError('PagerDuty is away');
};
const wordsOf = (step: FollowStep | undefined) => step?.word?.message.text ?? null;
const waits = (step: FollowStep | undefined, at: number) =>
  step?.lookAt == null ? null : step.lookAt.getTime() - opened.getTime() - at;

describe('an incident that a run has opened', () => {
  test('is looked at often at first, then less, and only as a safety net where webhooks come', () => {
    const asked = { isTold: false, failures: 0 };
    expect([0, 15 * minute, 90 * minute].map((ms) => pauseFor(ms, asked))).toEqual([
      10_000,
      minute,
      5 * minute,
    ]);
    expect(pauseFor(0, { isTold: true, failures: 0 })).toBe(5 * minute);
    expect(pauseFor(0, { isTold: false, failures: 20 })).toBe(10 * minute);
  });

  test('is told of once, however often it is looked at', async () => {
    const { it, steps } = port(() =>
      life({ state: 'acknowledged', changedAt: acknowledged.at, events: [acknowledged] }),
    );
    await followRound(it);
    await incidentChanged('P1', it);
    expect(steps.map(({ fresh }) => fresh.map(({ key }) => key))).toEqual([['L1'], []]);
  });

  test('is not set back by an answer that is older than what is known', async () => {
    const known = life({ state: 'resolved', changedAt: '2026-03-10T12:05:00Z' });
    const { it, steps } = port(() => life({ state: 'acknowledged', changedAt: acknowledged.at }), {
      row: { life: known },
    });
    await incidentChanged('P1', it);
    expect(steps).toEqual([]);
  });

  test('is looked at again soon when PagerDuty told of something that its log does not show yet', async () => {
    const { it, steps } = port(() => life(), { isTold: true });
    await incidentChanged('P1', it);
    expect(waits(steps[0], 0)).toBe(10_000);
  });

  test('is followed no more once it is resolved', async () => {
    const { it, steps } = port(() => life({ state: 'resolved' }));
    await followRound(it);
    expect(steps[0]).toMatchObject({ lookAt: null, word: null });
  });

  test('is given up after a day, and its thread is told so', async () => {
    const { it, steps } = port(() => life(), { at: 25 * 60 * minute });
    await followRound(it);
    expect(steps[0]?.lookAt).toBeNull();
    expect(wordsOf(steps[0])).toMatch(/No longer followed: incident #.?1 has been open for 24 hours/);
  });

  test('is said to be gone when PagerDuty has it no more', async () => {
    const { it, steps } = port(() => null);
    await followRound(it);
    expect(steps[0]?.lookAt).toBeNull();
    expect(wordsOf(steps[0])).toMatch(/no longer has this incident/);
  });

  test('that cannot be read is asked for less and less, and people hear of it at the fifth time, once', async () => {
    const { it, steps } = port(failing);
    for (let round = 0; round < 7; round += 1) await followRound(it);
    expect(steps.map((step) => waits(step, 0))).toEqual([
      20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000,
    ]);
    expect(steps.map(wordsOf).filter((words) => words !== null)).toEqual([
      expect.stringMatching(/I cannot follow incident P1: PagerDuty is away/),
    ]);
    const late = port(failing, { at: 25 * 60 * minute });
    await followRound(late.it);
    expect(wordsOf(late.steps[0])).toMatch(/No longer followed/);
  });
});
