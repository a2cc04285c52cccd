import { expect, test } from 'vitest';
import { holdExecutorLock } from '../../src/process/lock.ts';
import * as inbox from '../../src/store/inbox.ts';
import { minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

const entry = (key: string, change: { executor?: string; teamId?: string; at?: Date } = {}) => ({
  ...{ teamId: TEAM, key, event: { said: 'page ops' }, executor: 'own', at: NOON },
  ...change,
});

test('a delivery is stored once across processes, and its content is erased when it is done', async () => {
  const both = await Promise.all([
    inbox.store(store.db(), entry('once')),
    inbox.store(store.second(), entry('once', { executor: 'other' })),
  ]);
  expect(both.toSorted()).toEqual([false, true]);
  expect(await inbox.store(store.db(), entry('once', { teamId: 'T0OTHER' }))).toBe(true);
  await inbox.done(store.db(), { teamId: TEAM, key: 'once', at: NOON });
  expect(await inbox.store(store.db(), entry('once'))).toBe(false);
  const row = await store
    .db()
    .selectFrom('inbox')
    .select('event')
    .where('teamId', '=', TEAM)
    .executeTakeFirst();
  expect(row?.event).toBeNull();
});

test('a dead process’s events are taken over by one process, and a live one’s by none', async () => {
  // Every live process holds its lock; without it, one heir would see the other as dead.
  const alive = await Promise.all(
    ['alive', 'heir-1', 'heir-2'].map((id) => holdExecutorLock(store.url(), id, () => undefined)),
  );
  for (const [key, executor] of [
    ['a', 'dead-1'],
    ['b', 'dead-2'],
    ['c', 'alive'],
  ] as const) {
    await inbox.store(store.db(), entry(key, { executor }));
  }
  const rounds = await Promise.all([
    inbox.takeOver(store.db(), { teamId: TEAM, executor: 'heir-1' }),
    inbox.takeOver(store.second(), { teamId: TEAM, executor: 'heir-2' }),
  ]);
  expect(
    rounds
      .flat()
      .map(({ key, attempts }) => [key, attempts])
      .toSorted(),
  ).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
  for (const lock of alive) await lock.release();
});

test('a dead process’s finished events are not repeated, and no process takes over its own', async () => {
  for (const key of ['finished', 'open']) await inbox.store(store.db(), entry(key, { executor: 'gone' }));
  await inbox.done(store.db(), { teamId: TEAM, key: 'finished', at: NOON });
  const taken = async (executor: string) => {
    const events = await inbox.takeOver(store.db(), { teamId: TEAM, executor });
    return events.map(({ key }) => key).filter((key) => ['finished', 'open'].includes(key));
  };
  expect(await taken('gone')).toEqual([]);
  expect(await taken('heir')).toEqual(['open']);
});

test('a delivery is remembered for a day after it is done, and indefinitely until then', async () => {
  for (const key of ['old', 'new', 'open']) await inbox.store(store.db(), entry(key));
  await inbox.done(store.db(), { teamId: TEAM, key: 'old', at: NOON });
  await inbox.done(store.db(), { teamId: TEAM, key: 'new', at: minutes(60) });
  await inbox.removeOld(store.db(), minutes(24 * 60 + 30));
  const has = (key: string) => inbox.has(store.db(), { teamId: TEAM, key });
  expect([await has('old'), await has('new'), await has('open')]).toEqual([false, true, true]);
});

test('a burst of deliveries is stored together, each once, and an invalid one fails alone', async () => {
  const storeOne = inbox.storeTogether(store.db());
  const keys = ['s1', 's2', 's2', 's3', 's1'];
  const answers = await Promise.all(keys.map((key) => storeOne(entry(key))));
  expect(answers).toEqual([true, true, false, true, false]);
  expect(await storeOne(entry('s3'))).toBe(false);
  // The first goes alone, and the others wait for it together.
  const odd = { ...entry('odd'), at: new Date(8.6e15) };
  const ends = await Promise.allSettled([entry('s4'), entry('s5'), odd, entry('s6')].map(storeOne));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const stored = await Promise.all(
    ['s4', 's5', 's6', 'odd'].map((key) => inbox.has(store.db(), { teamId: TEAM, key })),
  );
  expect(stored).toEqual([true, true, true, false]);
});
