import { expect, test } from 'vitest';
import type { TickEvent } from '../../src/app/inbox.ts';
import type { Reporting } from '../../src/app/reporting.ts';
import { schedulePorts } from '../../src/app/schedules.ts';
import { expiryOf } from '../../src/approval/propose.ts';
import type { ScheduleConfig } from '../../src/config/schema.ts';
import { requestIdOf } from '../../src/request/intake.ts';
import { runTick } from '../../src/request/schedules.ts';
import { propose } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import { testPolicy } from '../support/catalogue.ts';
import { keepingLog } from '../support/slack-workspace.ts';
import { givenRequest, openTestStore, revisionOf, TEAM } from '../support/store.ts';

const store = openTestStore();
const minute = 60_000;

function schedule(name: string): ScheduleConfig {
  return { name, cron: '*/30 * * * *', timezone: 'UTC', goal: 'check OPS', channel: 'ops', inputs: {} };
}

/** Runs the ticks of one morning, each a moment after its minute began, and answers what was said or asked. */
async function runTicks(
  name: string,
  times: readonly string[],
  become: 'card' | 'question',
): Promise<string[]> {
  const said: string[] = [];
  let clock = new Date(0);
  const deps = {
    ...{ db: store.db(), teamId: TEAM, log: keepingLog(), now: () => clock },
    ...{ config: { channels: {}, schedules: [] }, expiresMinutes: testPolicy.expiresMinutes },
    reporting: {
      send: async (_team: string, _place: unknown, key: string) =>
        void said.push(key.split(':').at(-1) ?? ''),
    } as Partial<Reporting> as Reporting,
  };
  const asked = async ({ key }: TickEvent): Promise<void> => {
    said.push('asked');
    const id = requestIdOf(key);
    const request = await givenRequest(store.db(), id, { via: 'schedule', createdAt: clock });
    if (become === 'question') {
      await requests.setState(store.db(), { teamId: TEAM, id, to: 'asking' });
      return;
    }
    // Planning takes five seconds.
    const proposedAt = new Date(clock.getTime() + 5_000);
    const expiresAt = expiryOf(request, proposedAt, testPolicy.expiresMinutes);
    await propose(store.db(), revisionOf(request, 1, { createdAt: proposedAt, expiresAt }));
  };
  const ports = schedulePorts(deps, { accept: async () => true }, asked);
  for (const time of times) {
    clock = new Date(`2026-03-02T${time}:00.350Z`);
    await runTick(schedule(name), clock, ports);
    clock = new Date(clock.getTime() + minute);
  }
  return said;
}

test.each(['card', 'question'] as const)(
  'a schedule as often as its expiry asks at every tick, when a %s came of it',
  async (become) => {
    expect(testPolicy.expiresMinutes).toBe(30);
    const said = await runTicks(`half-hourly-${become}`, ['08:00', '08:30', '09:00'], become);
    expect(said).toEqual(['asked', 'asked', 'asked']);
  },
);

test.each(['card', 'question'] as const)('a %s that is still open holds the next tick up', async (become) => {
  const said = await runTicks(`often-${become}`, ['08:00', '08:20', '08:40'], become);
  expect(said).toEqual(['asked', 'overlap', 'asked']);
});
