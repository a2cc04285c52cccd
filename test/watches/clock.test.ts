import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { jsonOf } from '../../src/core/json.ts';
import { parse } from '../../src/notation/parse.ts';
import { get, type NewWatch } from '../../src/store/watches.ts';
import { openChecks } from '../../src/watches/clock.ts';
import type { WatchContext, WatchMessages } from '../../src/watches/context.ts';
import { blockText } from '../support/block-text.ts';
import { openTestStore } from '../support/store.ts';
import { partly } from '../support/vendors.ts';
import { givenWatch } from '../support/watches.ts';

const store = openTestStore();

const manifests = new Map(allManifests.map((manifest) => [manifest.name, manifest]));
const count = 'count = jira.count project=OPS priority=P1 status=open';
const conditional = `${count}; when count > 20: pagerduty.page service=ops text="many"`;

let made = 0;

/** The effect of a moment on a watch that checks every ten minutes from 08:00 on. */
async function at(now: string, notation: string, change: Partial<NewWatch> = {}): Promise<string[]> {
  const did: string[] = [];
  const db = store.db();
  made += 1;
  const [id, teamId] = ['w-1', `T000${made}`];
  const { plan } = parse(notation, manifests);
  await givenWatch(db, id, {
    ...{ teamId, plan: jsonOf(plan), nextAt: new Date('2026-01-10T08:00:00Z') },
    ...change,
  });
  const reporting = partly<WatchMessages>({
    toWatch(_teamId, watch, kind, { key, message }) {
      if (kind === 'reply') did.push(blockText(message.blocks));
      const sent = { teamId, conversation: watch, key, kind: 'private', payload: {} } as const;
      return { ...sent, now: new Date(now) };
    },
    kick: () => undefined,
  });
  const context = partly<WatchContext>({
    ...{ db, teamId, manifests, reporting, now: () => new Date(now) },
    damaged: ({ id: row }) => expect.unreachable(row),
    log: { info() {}, warn: (about) => expect.unreachable(JSON.stringify(about)), error() {} },
  });
  const check = async ({ key }: { key: string }) => void did.push(`checked for ${key.slice(-13, -8)}`);
  const checks = openChecks({ executor: 'here', check }, context);
  await checks.startDue();
  await checks.idle();
  const { nextAt, endedAt } = (await get(db, { teamId, id })) ?? expect.unreachable(id);
  if (endedAt === null) did.push(`next ${nextAt.toISOString().slice(11, 16)}`);
  return did;
}

test('a due watch is checked, and its next check keeps the minutes', async () => {
  expect(await at('2026-01-10T08:00:01Z', conditional)).toEqual(['checked for 08:00', 'next 08:10']);
});

test('a condition that was not checked in time is checked once, and the rest is reported', async () => {
  expect(await at('2026-01-10T08:35:00Z', conditional)).toEqual([
    expect.stringMatching(/was missed 3 times.*It is checking again\./s),
    'checked for 08:30',
    'next 08:40',
  ]);
});

test('a plan that acts or reports at its time is not made up for', async () => {
  const missed = [expect.stringContaining('was not replayed'), 'next 08:10'];
  expect(await at('2026-01-10T08:07:00Z', count)).toEqual(missed);
  expect(await at('2026-01-10T08:04:00Z', count)).toEqual(['checked for 08:00', 'next 08:10']);
});

test('a watch past its end is ended and not checked', async () => {
  const until = new Date('2026-01-10T08:00:00Z');
  expect(await at('2026-01-10T08:00:01Z', conditional, { until })).toEqual([
    expect.stringContaining('It reached its end date.'),
  ]);
});
