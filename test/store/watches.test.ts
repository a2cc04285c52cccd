import { expect, test } from 'vitest';
import { backlogOfAll } from '../../src/store/backlog.ts';
import * as inbox from '../../src/store/inbox.ts';
import * as ticks from '../../src/store/watch-ticks.ts';
import * as watches from '../../src/store/watches.ts';
import { auditRows, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';
import { givenWatch, watchRow } from '../support/watches.ts';

const store = openTestStore();

test('of many processes that see a tick one claims it, and its work is stored with it', async () => {
  await givenWatch(store.db(), 'w-claimed');
  const watch = { teamId: TEAM, id: 'w-claimed', nextAt: NOON };
  const tick = { at: NOON, key: 'watch:w-claimed', event: { type: 'tick', watch: 'w-claimed' } };
  const of = {
    watch,
    tick,
    next: minutes(10),
    missed: [minutes(-10)],
    messages: [],
    executor: 'me',
    now: NOON,
  };
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ticks.claim(index % 2 === 0 ? store.db() : store.second(), of)),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await inbox.has(store.db(), { teamId: TEAM, key: tick.key })).toBe(true);
  expect(await watches.get(store.db(), watch)).toMatchObject({ nextAt: minutes(10) });
  const fired = await store
    .db()
    .selectFrom('scheduleTicks')
    .select(['tick', 'state'])
    .orderBy('tick')
    .execute();
  expect(fired).toEqual([
    { tick: minutes(-10), state: 'missed' },
    { tick: NOON, state: 'fired' },
  ]);
});

test('a check is stored once, and never for an ended watch', async () => {
  await givenWatch(store.db(), 'w-looked');
  const look = {
    teamId: TEAM,
    id: 'w-looked',
    key: 'one',
    alarm: { on: null, failures: 0 },
    found: 'all is well',
  };
  const more = { problem: null, asked: false, at: NOON, messages: [] };
  expect(await ticks.storeCheck(store.db(), { ...look, ...more })).toBe(true);
  expect(await ticks.storeCheck(store.second(), { ...look, ...more, found: 'again' })).toBe(false);
  const end = { teamId: TEAM, id: 'w-looked', by: 'U0ANA', reason: 'done', at: minutes(1), messages: [] };
  const ends = await Promise.all([watches.end(store.db(), end), watches.end(store.second(), end)]);
  expect(ends.filter(Boolean)).toHaveLength(1);
  expect(await ticks.storeCheck(store.db(), { ...look, ...more, key: 'two' })).toBe(false);
  const lines = await auditRows(store.db(), TEAM, 'watch:w-looked');
  expect(lines.map(({ kind }) => kind)).toEqual(['watch.ended', 'watch.made']);
});

test('people who make watches at the same time cannot exceed their limit', async () => {
  const make = (id: string, owner: string) =>
    watches.insert(store.db(), watchRow(id, { owner }), { perPerson: 2, inAll: 100, messages: [] });
  const made = await Promise.all(['w-a', 'w-b', 'w-c', 'w-d'].map((id) => make(id, 'U0EVA')));
  expect(made.sort()).toEqual(['new', 'new', 'person_has_many', 'person_has_many']);
});

test('active watches are counted, and late checks with their delay', async () => {
  // The watches of the other tests.
  await store.db().updateTable('watches').set({ endedAt: NOON }).execute();
  await givenWatch(store.db(), 'w-late', { nextAt: minutes(10) });
  const standing = async (at: Date) => (await backlogOfAll(store.db(), [TEAM], at)).open;
  expect(await standing(minutes(9))).toMatchObject({
    watch: { count: 1 },
    check: { count: 0, oldestSeconds: 0 },
  });
  expect(await standing(minutes(11))).toMatchObject({
    watch: { count: 1 },
    check: { count: 1, oldestSeconds: 60 },
  });
});
