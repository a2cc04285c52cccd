import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import type { Watch } from '../../src/core/watch.ts';
import { parse } from '../../src/notation/parse.ts';
import { type ClockPort, lookAtClock } from '../../src/watches/clock.ts';
import { blockText } from '../support/block-text.ts';

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
const count = 'count = jira.count project=OPS priority=P1 status=open';
const conditional = `${count}; when count > 20: pagerduty.page service=ops text="many"`;

function watchOf(notation: string, change: Partial<Watch> = {}): Watch {
  return {
    ...{ id: 'w-1', owner: 'U0ANA', goal: 'watch OPS', plan: parse(notation, manifests).plan },
    ...{ planner: 'person', every: { minutes: 10 }, until: null, worse: { by: 20, unit: 'percent' } },
    ...{ channel: 'C0OPS', nextAt: new Date('2026-01-10T08:00:00Z'), endedAt: null, lookedAt: null },
    ...{ lookKey: null, askedKey: null, found: null, alarm: { on: null, failures: 0 }, problem: null },
    ...change,
  };
}

async function at(now: string, watch: Watch): Promise<string[]> {
  const did: string[] = [];
  const port: ClockPort = {
    due: async () => [watch],
    async claim({ missed, tick, message, next }) {
      did.push(`next ${next.toISOString().slice(11, 16)}`);
      if (missed.length > 0) did.push(`missed ${missed.length}`);
      if (message !== null) did.push(blockText(message.blocks));
      return tick !== null || message !== null;
    },
    look: async (_watch, tick) => void did.push(`looked for ${tick.toISOString().slice(11, 16)}`),
    async end(_watch, { reason }) {
      did.push(`ended: ${reason}`);
      return true;
    },
    manifests: () => manifests,
    now: () => new Date(now),
    log: { info() {}, warn() {}, error() {} },
  };
  await lookAtClock(port);
  return did;
}

test('what is due looks, and its next look keeps the minutes', async () => {
  expect(await at('2026-01-10T08:00:01Z', watchOf(conditional))).toEqual(['next 08:10', 'looked for 08:00']);
});

test('a condition that was not looked at in time is looked at once, and the rest is told', async () => {
  const did = await at('2026-01-10T08:35:00Z', watchOf(conditional));
  expect(did).toEqual([
    'next 08:40',
    'missed 3',
    expect.stringContaining('It is checking again.'),
    'looked for 08:30',
  ]);
});

test('what would act or report at its time is not made up for', async () => {
  const did = await at('2026-01-10T08:07:00Z', watchOf(count));
  expect(did).toEqual(['next 08:10', 'missed 1', expect.stringContaining('was not replayed')]);
  expect(await at('2026-01-10T08:04:00Z', watchOf(count))).toEqual(['next 08:10', 'looked for 08:00']);
});

test('after its end it looks no more', async () => {
  const until = new Date('2026-01-10T08:00:00Z');
  expect(await at('2026-01-10T08:00:01Z', watchOf(conditional, { until }))).toEqual([
    'ended: It reached its end date.',
  ]);
});
