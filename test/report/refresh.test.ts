import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/core/run.ts';
import { createRefresh } from '../../src/report/refresh.ts';

function event(runId: string, stepId: string): RunEvent {
  const at = '2026-03-02T12:00:00.000Z';
  return { teamId: 'T1', runId, requestId: 'r', number: 1, mode: 'run', at, type: 'step_started', stepId };
}

/** Refreshes that end when they are told to, and what was warned about. */
function scene() {
  const begun: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const warnings: object[] = [];
  const cards = createRefresh({
    gatherMs: 1,
    log: { info() {}, error() {}, warn: (facts) => warnings.push(facts) },
    refresh(one) {
      begun.push(one.type === 'step_started' ? `${one.runId}/${one.stepId}` : one.type);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
  });
  const until = async (count: number) => {
    while (begun.length < count) await pause(1);
  };
  return { cards, begun, ends, warnings, until };
}

test('events that come together make one refresh, those that come during it one more, runs side by side', async () => {
  const { cards, begun, ends, until } = scene();
  for (const step of ['a', 'b', 'c']) cards.soon(event('one', step));
  cards.soon(event('two', 'a'));
  await until(2);
  expect(begun.sort()).toEqual(['one/c', 'two/a']);
  for (const step of ['d', 'e']) cards.soon(event('one', step));
  await pause(10);
  expect(begun).toHaveLength(2);
  for (const end of ends) end.resolve();
  await until(3);
  expect(begun.at(-1)).toBe('one/e');
  ends.at(-1)?.resolve();
  await cards.idle();
  expect(begun).toHaveLength(3);
});

test('the end of a run waits for the refresh under way, and nothing refreshes its card any more', async () => {
  const { cards, begun, ends, until } = scene();
  cards.soon(event('one', 'a'));
  await until(1);
  cards.soon(event('one', 'b'));
  let ended = false;
  const end = cards.end('one').then(() => {
    ended = true;
  });
  await pause(10);
  expect(ended).toBe(false);
  ends[0]?.resolve();
  await end;
  cards.soon(event('one', 'c'));
  await pause(10);
  expect(begun).toEqual(['one/a']);
  cards.forget('one');
  // One that had not begun does not begin, and nobody waits for it.
  cards.soon(event('two', 'a'));
  await cards.end('two');
  await cards.idle();
  expect(begun).toEqual(['one/a']);
});

test('a refresh that fails is logged, and the next event tries again', async () => {
  const { cards, begun, ends, warnings, until } = scene();
  cards.soon(event('one', 'a'));
  await until(1);
  ends[0]?.reject(new Error('no database'));
  await cards.idle();
  expect(warnings).toEqual([expect.objectContaining({ runId: 'one', message: 'no database' })]);
  cards.soon(event('one', 'b'));
  await until(2);
  ends[1]?.resolve();
  await cards.idle();
  expect(begun).toEqual(['one/a', 'one/b']);
});
