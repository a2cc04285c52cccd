import { expect, test } from 'vitest';
import * as requests from '../../src/store/requests.ts';
import { requestOfThread } from '../../src/store/threads.ts';
import { givenRequest, minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('of several requests in one thread a reply is about the one that waits for people, then the newest', async () => {
  const at = { channel: 'C0INC', threadTs: '1.1' };
  for (const [index, id] of ['thread-c', 'thread-a', 'thread-b'].entries()) {
    await givenRequest(store.db(), id, { threadTs: at.threadTs, createdAt: minutes(index) });
  }
  const found = async () => (await requestOfThread(store.db(), { teamId: TEAM, ...at }))?.id;
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
  expect(await requestOfThread(store.db(), { teamId: 'T0OTHER', ...at })).toBeNull();
});
