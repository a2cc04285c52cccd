import { expect, test } from 'vitest';
import { decide } from '../../src/store/decide.ts';
import { propose } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import { isOpen, requestOfThread } from '../../src/store/threads.ts';
import { endRun, givenRequest, minutes, NOON, openTestStore, revisionOf, TEAM } from '../support/store.ts';

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

test('a request is open by its card and its run, whatever its own row says, and an old question holds up nothing', async () => {
  const request = await givenRequest(store.db(), 'open');
  const open = (since = NOON, now = minutes(2)) =>
    isOpen(store.db(), { teamId: TEAM, id: 'open', since, now });
  expect(await open()).toBe(true);
  expect(await open(minutes(1))).toBe(false);
  const revision = revisionOf(request, 1);
  await propose(store.db(), revision);
  expect(await open(minutes(1))).toBe(true);
  // Too late for a decision, although nobody has written that down yet.
  expect(await open(minutes(1), revision.expiresAt)).toBe(false);
  const { teamId, requestId, number, digest } = revision;
  const yes = { teamId, requestId, number, digest, to: 'approved', by: 'U0BEN', reason: null } as const;
  const decided = await decide(store.db(), { ...yes, now: minutes(2) });
  expect(await open(minutes(1))).toBe(true);
  const runId = decided.ok ? (decided.runId ?? '') : '';
  await endRun(store.db(), { teamId, runId, outcome: 'done', at: minutes(3) });
  // A process died before it had written this down.
  await requests.setState(store.db(), { teamId, id: 'open', to: 'review' });
  expect(await open()).toBe(false);
  expect(await isOpen(store.db(), { teamId: TEAM, id: 'nobody', since: NOON, now: NOON })).toBe(false);
});
