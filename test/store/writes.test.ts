import { expect, test } from 'vitest';
import { audited } from '../../src/audit/ledger.ts';
import type { Json } from '../../src/core/json.ts';
import type { Db } from '../../src/store/tables.ts';
import { factsOf } from '../../src/store/write-facts.ts';
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
    attempt: 1,
    executor: 'us',
    at: NOON,
    ...changes,
  };
}

/** As the run stage does it: the known facts are read in the same transaction. */
function attempt(db: Db, intent: writes.WriteIntent, caps: readonly writes.WriteCap[] = []) {
  return audited(db, intent.teamId, async (trx) => {
    const known = (await factsOf(trx, intent))?.write ?? null;
    return { value: await writes.note(trx, intent, { known, caps }), lines: [] };
  });
}

function settle(intent: writes.WriteIntent, state: 'made' | 'failed' | 'unknown', evidence: Json = {}) {
  return writes.endWrite(store.db(), { key: intent.key, state, evidence, at: minutes(3) });
}

test('an attempt is noted once: a repetition matches it, and another process finds it existing', async () => {
  const intent = await intentFor('again');
  const other = { ...intent, executor: 'another' };
  const attempts = await Promise.all([attempt(store.db(), intent), attempt(store.second(), other)]);
  expect(attempts.map(({ kind }) => kind).sort()).toEqual(['existing', 'noted']);
  const winner = attempts[0]?.kind === 'noted' ? intent : other;
  expect(await attempt(store.db(), winner)).toEqual({ kind: 'noted', fresh: false });
  // A process that takes over saw the first attempt and makes the second; the first one is then too late.
  const second = { ...intent, executor: 'heir', attempt: 2, at: minutes(1) };
  expect(await attempt(store.db(), second)).toEqual({ kind: 'noted', fresh: true });
  const late = await attempt(store.db(), winner);
  expect(late).toMatchObject({
    kind: 'existing',
    write: { state: 'intended', attempts: 2, executor: 'heir' },
  });
  expect(await writeRows(store.db(), intent.runId)).toHaveLength(1);
});

test("a write's result is returned to every later attempt, and only the vendor's confirmation changes it", async () => {
  const intent = await intentFor('settled');
  await attempt(store.db(), intent);
  expect(await settle(intent, 'unknown')).toBe(true);
  const again = { ...intent, attempt: 2 };
  expect(await attempt(store.db(), again)).toMatchObject({ kind: 'existing', write: { state: 'unknown' } });
  expect(await settle(intent, 'failed')).toBe(false);
  expect(await settle(intent, 'made', { dedup_key: 'k' })).toBe(true);
  // The first attempt's late time-out must not turn a sent page into a failed one.
  for (const state of ['failed', 'unknown', 'made'] as const) expect(await settle(intent, state)).toBe(false);
  const made = { state: 'made', evidence: { dedup_key: 'k' } };
  expect(await attempt(store.db(), again)).toMatchObject({ kind: 'existing', write: made });
  expect(await settle({ ...intent, key: 'none' }, 'made')).toBe(false);
});

test('a key belongs to one write in the whole installation', async () => {
  const intent = await intentFor('key-1', { key: 'same' });
  await attempt(store.db(), intent);
  const other = await intentFor('key-2', { key: 'same' });
  await expect(attempt(store.db(), other)).rejects.toMatchObject({ constraint: 'writes_key_key' });
});

test('of many runs competing for the last place under a cap one wins, and a failed write frees its place', async () => {
  const teamId = 'T0CAP';
  const intents = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => intentFor(`cap-${index}`, { teamId, at: minutes(index) })),
  );
  const caps = [{ since: NOON, max: 2, target: 'service:ops' }];
  const results = await Promise.all(
    intents.map((intent, index) => attempt(index % 2 === 0 ? store.db() : store.second(), intent, caps)),
  );
  expect(results.filter((result) => result.kind === 'noted')).toHaveLength(2);
  for (const result of results.filter((each) => each.kind !== 'noted')) {
    expect(result).toEqual({ kind: 'over_cap', cap: caps[0], count: 2 });
  }
  const refused = intents.filter((_, index) => results[index]?.kind === 'over_cap');
  const taken = intents.filter((_, index) => results[index]?.kind === 'noted');
  const [next, another] = refused;
  if (next === undefined || another === undefined) throw new Error('four have been refused');
  if (taken[0] !== undefined) await settle(taken[0], 'failed');
  expect(await attempt(store.db(), next, caps)).toEqual({ kind: 'noted', fresh: true });
  if (taken[1] !== undefined) await settle(taken[1], 'unknown');
  expect(await attempt(store.db(), another, caps)).toMatchObject({ kind: 'over_cap', count: 2 });
  // Its own intent exists already, so a repetition is not a new page and the cap does not apply.
  expect(await attempt(store.db(), next, caps)).toEqual({ kind: 'noted', fresh: false });
  expect(await attempt(store.db(), { ...next, attempt: 2 }, caps)).toMatchObject({ kind: 'noted' });
  // Another service, another tool and a past hour are not counted.
  expect(await attempt(store.db(), another, [{ since: NOON, max: 1, target: 'service:web' }])).toMatchObject({
    kind: 'noted',
  });
});

test('the count for a cap excludes other teams, tools, targets, times and failures', async () => {
  const teamId = 'T0COUNT';
  const page = async (id: string, at: number, targets: string[], tool = 'pagerduty.page') => {
    const intent = await intentFor(id, { teamId, targets, tool, at: minutes(at) });
    await attempt(store.db(), intent);
    return intent;
  };
  await page('c1', 1, ['service:ops']);
  await page('c2', 2, ['service:ops', 'user:U0ANA']);
  const failed = await page('c3', 3, ['service:ops']);
  await page('c4', 4, ['service:web']);
  await page('c5', 5, ['service:ops'], 'slack.post');
  await settle(failed, 'failed', { status: 400 });

  const probe = await intentFor('probe', { teamId });
  const elsewhere = await intentFor('elsewhere', { teamId: 'T0002' });
  const count = async (since: Date, target: string, intent = probe) => {
    const refused = await attempt(store.db(), intent, [{ since, target, max: 0 }]);
    return refused.kind === 'over_cap' ? refused.count : null;
  };
  expect(await count(NOON, 'service:ops')).toBe(2);
  expect(await count(minutes(2), 'service:ops')).toBe(1);
  expect(await count(NOON, 'service:o')).toBe(0);
  expect(await count(NOON, 'user:U0ANA')).toBe(1);
  expect(await count(NOON, 'service:ops', elsewhere)).toBe(0);
});

test('only a made write can be added to, and its new result replaces the old one', async () => {
  const intent = await intentFor('grows');
  await attempt(store.db(), intent);
  const addition = { ...intent, attempt: null, at: minutes(4) };
  expect(await attempt(store.db(), addition)).toMatchObject({
    kind: 'existing',
    write: { state: 'intended' },
  });
  expect(await settle(intent, 'made', { result: 1 })).toBe(true);
  expect(await attempt(store.db(), addition)).toEqual({ kind: 'noted', fresh: true });
  const grown = {
    key: intent.key,
    state: 'made',
    evidence: { result: 2 },
    adds: true,
    at: minutes(5),
  } as const;
  expect([await writes.endWrite(store.db(), grown), await writes.endWrite(store.db(), grown)]).toEqual([
    true,
    false,
  ]);
  expect(await settle(intent, 'made', { result: 1 })).toBe(false);
  expect(await writeRows(store.db(), intent.runId)).toMatchObject([{ evidence: { result: 2 }, attempts: 1 }]);
});
