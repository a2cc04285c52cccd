import { expect, test } from 'vitest';
import { createInbox } from '../../src/process/inbox.ts';

interface Event {
  readonly key: string;
  readonly isGoal: boolean;
}

const quiet = { info() {}, warn() {}, error() {} };

test('in a storm of goals eight are worked on at once, in their order, and a click waits for none of them', async () => {
  const inbox = createInbox<Event>({
    store: async () => true,
    done: async () => {},
    giveBack: async () => {},
    takeOver: async () => [],
    mayWait: ({ isGoal }) => isGoal,
    isLeftToAll: () => false,
    ownerOf: () => 'T1',
    tellFailure: async () => {},
    log: quiet,
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, isGoal: boolean) =>
    inbox.process({ key, isGoal }, () => {
      begun.push(key);
      return new Promise((resolve) => ends.set(key, resolve));
    });
  const keys = Array.from({ length: 10 }, (_, nth) => `goal ${nth + 1}`);
  const goals = keys.map((key) => begin(key, true));
  const click = begin('click', false);
  expect(begun).toEqual([...keys.slice(0, 8), 'click']);

  ends.get('goal 3')?.();
  await goals[2];
  await expect.poll(() => begun.at(-1)).toBe('goal 9');
  for (const end of ends.values()) end();
  await expect.poll(() => begun.at(-1)).toBe('goal 10');
  ends.get('goal 10')?.();
  await Promise.all([...goals, click]);
  await inbox.idle();
});

test('finished work that could not be marked as done is marked once the database is back', async () => {
  let tries = 0;
  const inbox = createInbox<Event>({
    store: async () => true,
    async done() {
      tries += 1;
      if (tries < 3) throw new Error('the database is away');
    },
    giveBack: async () => {},
    takeOver: async () => [],
    mayWait: () => false,
    isLeftToAll: () => false,
    ownerOf: () => 'T1',
    tellFailure: async () => {},
    log: quiet,
  });
  let worked = 0;
  await inbox.process({ key: 'click', isGoal: false }, async () => {
    worked += 1;
  });
  await expect.poll(() => tries).toBe(3);
  expect(worked).toBe(1);
});

test.each([
  [1, 'given back'],
  [4, 'abandoned'],
])('work in its attempt %i that fails without a word is %s', async (attempts, ends) => {
  const marked: string[] = [];
  const inbox = createInbox<Event>({
    store: async () => true,
    done: async () => void marked.push('abandoned'),
    giveBack: async () => void marked.push('given back'),
    takeOver: async () => [{ event: { key: 'click', isGoal: false }, attempts }],
    mayWait: () => false,
    isLeftToAll: () => false,
    ownerOf: () => 'T1',
    tellFailure: () => Promise.reject(new Error('the database is away')),
    log: quiet,
  });
  await inbox.takeUp(() => Promise.reject(new Error('the database is away')));
  await expect.poll(() => marked, { timeout: 5_000 }).toEqual([ends]);
});
