import { expect, test } from 'vitest';
import * as outbox from '../../src/store/outbox.ts';
import * as delivery from '../../src/store/outbox-delivery.ts';
import * as requests from '../../src/store/requests.ts';
import { headsOfThread, isPosting } from '../../src/store/threads.ts';
import { givenRequest, minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('a thread reply goes to the request in review, then the newest; open questions come after it', async () => {
  const at = { channel: 'C0INC', threadTs: '1.1' };
  for (const [index, id] of ['thread-c', 'thread-a', 'thread-b'].entries()) {
    await givenRequest(store.db(), id, { threadTs: at.threadTs, createdAt: minutes(index) });
  }
  const found = async () => (await headsOfThread(store.db(), { teamId: TEAM, ...at }))[0]?.id;
  const to = (id: string, state: 'review' | 'finished' | 'asking') =>
    requests.setState(store.db(), { teamId: TEAM, id, to: state });
  for (const id of ['thread-a', 'thread-b', 'thread-c']) await to(id, 'finished');
  expect(await found()).toBe('thread-b');
  for (const id of ['thread-c', 'thread-a']) {
    await to(id, 'review');
    expect(await found()).toBe(id);
    await to(id, 'asking');
    expect(await found()).toBe(id);
    await to(id, 'finished');
  }
  await to('thread-a', 'asking');
  await to('thread-b', 'review');
  const all = await headsOfThread(store.db(), { teamId: TEAM, ...at });
  expect(all.map(({ id }) => id)).toEqual(['thread-b', 'thread-a']);
  expect(await headsOfThread(store.db(), { teamId: 'T0OTHER', ...at })).toEqual([]);
});

test('a card counts as being posted from its request until its place is stored, even for an answer', async () => {
  const [id, channel] = ['on-its-way', 'C0WAY'];
  const posting = () => isPosting(store.db(), { teamId: TEAM, channel });
  expect(await posting()).toBe(false);
  const createdAt = new Date();
  await givenRequest(store.db(), id, { channel, createdAt });
  expect(await posting()).toBe(true);
  const card = { teamId: TEAM, conversation: id, key: `card:${id}:1`, kind: 'card', payload: {} } as const;
  await outbox.enqueue(store.db(), { ...card, now: createdAt });
  await requests.setState(store.db(), { teamId: TEAM, id, to: 'finished' });
  expect(await posting()).toBe(true);
  const [taken] = await delivery.due(store.db(), {
    teamId: TEAM,
    now: new Date(),
    limit: 9,
    leaseMs: 60_000,
  });
  if (taken === undefined) throw new Error('nothing was taken');
  await delivery.markSent(store.db(), { ...taken, sentTs: '1.2', now: new Date(), until: null });
  expect(await posting()).toBe(false);
});
