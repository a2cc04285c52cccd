import { expect, test } from 'vitest';
import { fairTurns } from '../../src/core/fair-queue.ts';

/** Work that ends when told to, and records when it begins. */
function work(turns: ReturnType<typeof fairTurns>, began: string[], owner: string, name: string) {
  const gate = Promise.withResolvers<void>();
  const done = turns.take(owner, async () => {
    began.push(name);
    await gate.promise;
  });
  return { done, end: () => gate.resolve() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("one owner's burst waits behind the first work of another", async () => {
  const began: string[] = [];
  const turns = fairTurns({ max: 2 });
  const storm = [1, 2, 3, 4, 5].map((nth) => work(turns, began, 'A', `a${nth}`));
  const other = work(turns, began, 'B', 'b1');
  await settled();
  expect(began).toEqual(['a1', 'a2']);
  for (const each of [storm[0], storm[1], other]) {
    each?.end();
    await settled();
  }
  expect(began).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  for (const each of storm) each.end();
  await Promise.all([...storm, other].map(({ done }) => done));
  expect(began.at(-1)).toBe('a5');
});

test('hanging work of one owner leaves room for others', async () => {
  const began: string[] = [];
  const turns = fairTurns({ max: 4, maxEach: 3 });
  for (let nth = 1; nth <= 10; nth += 1) work(turns, began, 'A', `a${nth}`);
  work(turns, began, 'B', 'b1');
  await settled();
  expect(began).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('failed work gives its turn back', async () => {
  const turns = fairTurns({ max: 1 });
  await expect(turns.take('A', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.take('A', async () => 'next')).toBe('next');
});

test('says whether the work of an owner would start at once', async () => {
  const turns = fairTurns({ max: 3, maxEach: 2 });
  const [first, second] = [work(turns, [], 'A', 'a1'), work(turns, [], 'A', 'a2')];
  await settled();
  expect([turns.isFree('A'), turns.isFree('B')]).toEqual([false, true]);
  const third = work(turns, [], 'B', 'b1');
  expect(turns.isFree('B')).toBe(false);
  for (const each of [first, second, third]) each.end();
  await Promise.all([first, second, third].map(({ done }) => done));
  expect(turns.isFree('A')).toBe(true);
});
