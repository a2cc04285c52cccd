import { createTask } from 'node-cron';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { announceMissed, runTick, type SchedulePorts, startSchedules } from '../../src/request/schedules.ts';
import type { Schedule } from '../../src/request/ticks.ts';

const schedule: Schedule = { name: 'sla', cron: '*/30 8-9 * * *', timezone: 'Europe/Berlin' };

function ports(change: Partial<SchedulePorts<Schedule>> = {}) {
  const taken = new Map<string, string>();
  const said: string[] = [];
  const all: SchedulePorts<Schedule> = {
    async claim(_schedule, tick, state) {
      if (taken.has(tick.toISOString())) return false;
      taken.set(tick.toISOString(), state);
      return true;
    },
    lastTick: async () => null,
    isBusy: async () => false,
    lostTick: async () => null,
    fire: async (_schedule, tick) => void said.push(`fired ${tick.toISOString()}`),
    announce: async (_schedule, ticks, why) =>
      void said.push(`${why} ${ticks.map((t) => t.toISOString()).join(' ')}`),
    failed: async (_schedule, _tick, error) => void said.push(`failed ${String(error)}`),
    now: () => new Date('2026-01-10T12:00:30Z'),
    ...change,
  };
  return { all, said, taken };
}

afterEach(() => void vi.useRealTimers());

describe('a schedule', () => {
  test('fires once a tick, however many processes are told of it', async () => {
    const { all, said } = ports();
    const at = new Date('2026-01-10T07:30:00.412Z');
    await Promise.all([runTick(schedule, at, all), runTick(schedule, at, all), runTick(schedule, at, all)]);
    expect(said).toEqual(['fired 2026-01-10T07:30:00.000Z']);
  });

  test('says so instead of planning again while its last plan is open, and when a tick fails', async () => {
    const busy = ports({ isBusy: async () => true });
    await runTick(schedule, new Date('2026-01-10T07:30:00Z'), busy.all);
    expect(busy.said).toEqual(['overlap 2026-01-10T07:30:00.000Z']);
    const broken = ports({ fire: async () => Promise.reject(new Error('Slack is down')) });
    await runTick(schedule, new Date('2026-01-10T07:30:00Z'), broken.all);
    expect(broken.said).toEqual(['failed Error: Slack is down']);
  });

  test('announces what it missed while nothing ran, in its own time zone, once and without replaying it', async () => {
    const { all, said, taken } = ports({ lastTick: async () => new Date('2026-01-09T08:00:00Z') });
    const task = createTask(schedule.cron, () => undefined, { timezone: schedule.timezone });
    await Promise.all([announceMissed(schedule, task, all), announceMissed(schedule, task, all)]);
    const ticks = [
      '2026-01-09T08:30',
      '2026-01-10T07:00',
      '2026-01-10T07:30',
      '2026-01-10T08:00',
      '2026-01-10T08:30',
    ];
    expect([...taken.keys()].sort()).toEqual(ticks.map((t) => `${t}:00.000Z`));
    expect(new Set(taken.values())).toEqual(new Set(['missed']));
    expect(said).toEqual([`missed ${ticks.map((t) => `${t}:00.000Z`).join(' ')}`]);
    await task.destroy();
  });

  test('announces what it missed once, also when another process starts in the middle of it', async () => {
    const task = createTask(schedule.cron, () => undefined, { timezone: schedule.timezone });
    const { all, said, taken } = ports();
    const lastTick = async () => new Date([...taken.keys()].sort().at(-1) ?? '2026-01-09T08:00:00Z');
    const other: SchedulePorts<Schedule> = { ...all, lastTick };
    const first: SchedulePorts<Schedule> = {
      ...other,
      async claim(...of) {
        const mine = await all.claim(...of);
        if (taken.size === 1) await announceMissed(schedule, task, other);
        return mine;
      },
    };
    await announceMissed(schedule, task, first);
    expect(taken.size).toBe(5);
    expect(said).toHaveLength(1);
    await task.destroy();
  });

  test('owns up to a tick whose process died before it had asked for anything, for a week', async () => {
    const task = createTask(schedule.cron, () => undefined, { timezone: schedule.timezone });
    for (const [lost, words] of [
      ['2026-01-10T08:30:00.000Z', ['missed 2026-01-10T08:30:00.000Z']],
      ['2026-01-02T08:30:00.000Z', []],
    ] as const) {
      const tick = new Date(lost);
      const { all, said } = ports({
        lastTick: async () => new Date('2026-01-10T08:30:00Z'),
        lostTick: async () => tick,
      });
      await announceMissed(schedule, task, all);
      expect(said).toEqual(words);
    }
    await task.destroy();
  });

  test('owns up to the tick of the minute in which a process starts too late for it, unless another has it', async () => {
    vi.useFakeTimers({ now: new Date('2026-01-10T08:00:20Z') });
    const alive = {
      now: () => new Date(),
      lastTick: async () => new Date('2026-01-10T07:30:00Z'),
    };
    const alone = ports(alive);
    const beside = ports(alive);
    const first = ports({ now: () => new Date() });
    const stops = await Promise.all([alone, beside, first].map(({ all }) => startSchedules([schedule], all)));
    // The other process is a little behind.
    await vi.advanceTimersByTimeAsync(20_000);
    await runTick(schedule, new Date('2026-01-10T08:00:00Z'), beside.all);
    expect(alone.said).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(alone.said).toEqual(['missed 2026-01-10T08:00:00.000Z']);
    expect(beside.said).toEqual(['fired 2026-01-10T08:00:00.000Z']);
    expect(first.said).toEqual([]);
    await Promise.all(stops.map((stop) => stop()));
  });

  test('owns up to a tick that was lost with its process a moment before the start', async () => {
    vi.useFakeTimers({ now: new Date('2026-01-10T08:00:03Z') });
    const taken = new Date('2026-01-10T08:00:00Z');
    const { all, said } = ports({
      now: () => new Date(),
      lastTick: async () => taken,
      // Too young to be sure, like any tick whose process is at work.
      lostTick: async () => (Date.now() - taken.getTime() < 5_000 ? null : taken),
    });
    const stop = await startSchedules([schedule], all);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(said).toEqual(['missed 2026-01-10T08:00:00.000Z']);
    await stop();
  });

  test.each([
    ['0 * * * *', 'every hour', '2026-10-24T23:30Z', ['00:00', '01:00', '02:00']],
    [
      '*/30 * * * *',
      'every half hour',
      '2026-10-24T23:40Z',
      ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30'],
    ],
    ['0  * * * *', 'every hour, however it is spaced', '2026-10-24T23:30Z', ['00:00', '01:00', '02:00']],
    ['30 2 * * *', 'once a day', '2026-10-24T23:40Z', ['00:30']],
    ['0 * * * *', 'every hour in spring', '2026-03-28T23:30Z', ['00:00', '01:00', '02:00']],
  ])('with %s happens %s, also when the clocks change', async (cron, _words, from, expected) => {
    vi.useFakeTimers({ now: new Date(from) });
    const { all, said, taken } = ports({ now: () => new Date() });
    const stop = await startSchedules([{ ...schedule, cron }], all);
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    await stop();
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect([...taken.keys()].map((tick) => tick.slice(11, 16))).toEqual(expected);
    expect(said.every((words) => words.startsWith('fired'))).toBe(true);
  });

  test('owns up to what came while its process was held up, and takes nothing twice when its clock is set back', async () => {
    vi.useFakeTimers({ now: new Date('2026-01-10T07:20:00Z') });
    const { all, said } = ports({ now: () => new Date() });
    const stop = await startSchedules([schedule], all);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    vi.setSystemTime(new Date('2026-01-10T08:45:00Z'));
    await vi.advanceTimersByTimeAsync(60_000);
    vi.setSystemTime(new Date('2026-01-10T07:25:00Z'));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(said).toEqual([
      'fired 2026-01-10T07:30:00.000Z',
      'missed 2026-01-10T08:00:00.000Z',
      'missed 2026-01-10T08:30:00.000Z',
    ]);
    await stop();
  });
});
