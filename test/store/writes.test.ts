import { expect, test } from 'vitest';
import * as writes from '../../src/store/writes.ts';
import { givenRun, minutes, NOON, openTestStore, TEAM, writeRows } from '../support/store.ts';

const store = openTestStore();

async function intentFor(id: string, changes: Partial<writes.WriteIntent> = {}): Promise<writes.WriteIntent> {
  const { runId } = await givenRun(store.db(), id, { teamId: changes.teamId ?? TEAM });
  return {
    teamId: TEAM,
    runId,
    stepId: 'page',
    tool: 'pagerduty.page',
    key: `${runId}:page`,
    targets: ['service:ops'],
    at: NOON,
    ...changes,
  };
}

test('a write that is attempted again finds its own intent, whatever became of it, and is never noted twice', async () => {
  const intent = await intentFor('again');
  const attempts = await Promise.all(
    [store.db(), store.second(), store.db()].map((db) => writes.intend(db, intent)),
  );
  expect(attempts.map((attempt) => attempt.kind).sort()).toEqual(['existing', 'existing', 'new']);
  expect(await writes.intend(store.db(), { ...intent, at: minutes(5) })).toEqual({
    kind: 'existing',
    write: { ...intent, at: undefined, state: 'intended', evidence: null, createdAt: NOON, updatedAt: NOON },
  });

  const evidence = { dedup_key: intent.key, status: 'success' };
  await writes.settle(store.db(), { key: intent.key, state: 'unknown', evidence: null, at: minutes(1) });
  await writes.settle(store.db(), { key: intent.key, state: 'made', evidence, at: minutes(2) });
  // The first attempt's late time-out must not turn a page that went out into one that failed.
  const late = await writes.settle(store.db(), {
    key: intent.key,
    state: 'failed',
    evidence: null,
    at: minutes(3),
  });
  expect(late).toMatchObject({ state: 'made', evidence, updatedAt: minutes(2) });
  expect(await writes.intend(store.db(), intent)).toMatchObject({
    kind: 'existing',
    write: { state: 'made', evidence },
  });
  expect(await writeRows(store.db(), intent.runId)).toHaveLength(1);
});

test('a key belongs to one write in the whole installation', async () => {
  const intent = await intentFor('key-1', { key: 'same' });
  await writes.intend(store.db(), intent);
  const other = await intentFor('key-2', { key: 'same' });
  await expect(writes.intend(store.db(), other)).rejects.toMatchObject({ constraint: 'writes_key_key' });
  expect(await writes.byKey(store.db(), 'same')).toMatchObject({ runId: intent.runId });
  expect(await writes.byKey(store.db(), 'none')).toBeNull();
  await expect(
    writes.settle(store.db(), { key: 'none', state: 'made', evidence: null, at: NOON }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('of many runs that want the last place under a cap one gets it, and a write that certainly failed gives its place back', async () => {
  const teamId = 'T0CAP';
  const intents = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => intentFor(`cap-${index}`, { teamId, at: minutes(index) })),
  );
  const caps = [{ since: NOON, max: 2, target: 'service:ops' }];
  const results = await Promise.all(
    intents.map((intent, index) =>
      writes.intend(index % 2 === 0 ? store.db() : store.second(), intent, caps),
    ),
  );
  expect(results.filter((result) => result.kind === 'new')).toHaveLength(2);
  for (const result of results.filter((each) => each.kind !== 'new')) {
    expect(result).toEqual({ kind: 'over_cap', cap: caps[0], count: 2 });
  }
  const refused = intents.filter((_, index) => results[index]?.kind === 'over_cap');
  const taken = intents.filter((_, index) => results[index]?.kind === 'new');
  const [next, another] = refused;
  if (next === undefined || another === undefined) throw new Error('four have been refused');
  await writes.settle(store.db(), {
    key: taken[0]?.key ?? '',
    state: 'failed',
    evidence: null,
    at: minutes(9),
  });
  expect(await writes.intend(store.db(), next, caps)).toEqual({ kind: 'new' });
  await writes.settle(store.db(), {
    key: taken[1]?.key ?? '',
    state: 'unknown',
    evidence: null,
    at: minutes(9),
  });
  expect(await writes.intend(store.db(), another, caps)).toMatchObject({ kind: 'over_cap', count: 2 });
  // Its own intent is there already, so a repetition is no new page and the cap does not stop it.
  expect(await writes.intend(store.db(), next, caps)).toMatchObject({ kind: 'existing' });
  // Another service, another tool and an hour that has passed are not counted.
  expect(await writes.intend(store.db(), another, [{ since: NOON, max: 1, target: 'service:web' }])).toEqual({
    kind: 'new',
  });
});

test('what counts against a cap leaves out other teams, tools, targets, times and failures', async () => {
  const teamId = 'T0COUNT';
  const page = async (id: string, at: number, targets: string[], tool = 'pagerduty.page') => {
    const intent = await intentFor(id, { teamId, targets, tool, at: minutes(at) });
    await writes.intend(store.db(), intent);
    return intent;
  };
  await page('c1', 1, ['service:ops']);
  await page('c2', 2, ['service:ops', 'user:U0ANA']);
  const failed = await page('c3', 3, ['service:ops']);
  await page('c4', 4, ['service:web']);
  await page('c5', 5, ['service:ops'], 'slack.post');
  await writes.settle(store.db(), {
    key: failed.key,
    state: 'failed',
    evidence: { status: 400 },
    at: minutes(4),
  });

  const probe = await intentFor('probe', { teamId });
  const elsewhere = await intentFor('elsewhere', { teamId: 'T0002' });
  const count = async (since: Date, target: string, intent = probe) => {
    const refused = await writes.intend(store.db(), intent, [{ since, target, max: 0 }]);
    return refused.kind === 'over_cap' ? refused.count : null;
  };
  expect(await count(NOON, 'service:ops')).toBe(2);
  expect(await count(minutes(2), 'service:ops')).toBe(1);
  expect(await count(NOON, 'service:o')).toBe(0);
  expect(await count(NOON, 'user:U0ANA')).toBe(1);
  expect(await count(NOON, 'service:ops', elsewhere)).toBe(0);
});
