/** Why: people must not notice that a process died, so its runs go on within three seconds. */
import { expect, test } from 'vitest';
import { lookMs } from '../../src/process/clock.ts';
import type { ListedRun } from '../../src/run/ports.ts';
import { lookAfter } from '../../src/run/takeover.ts';

const run = (runId: string, holder: string | null, isLeft = false): ListedRun => ({
  ...{ teamId: 'T0ACME', runId, entered: 1, holder, isLeft },
});

function looking(open: readonly ListedRun[]) {
  const begun: string[] = [];
  const look = lookAfter({
    ...{ executorId: 'me', store: { openRuns: async () => [...open] } },
    begin: async ({ runId }) => void begun.push(runId),
  });
  return { look, begun };
}

test('a dead process’s run starts at the next look, and a living one’s at none', async () => {
  const { look, begun } = looking([run('left', 'gone', true), run('theirs', 'living')]);
  await look();
  expect(begun).toEqual(['left']);
});

test('a run that nobody took, or that broke off here, starts at the second look', async () => {
  const { look, begun } = looking([run('stored', null), run('broken', 'me')]);
  await look();
  expect(begun).toEqual([]);
  await look();
  expect(begun).toEqual(['stored', 'broken']);
});

test('two looks and a second to start fit into three seconds', () => {
  expect(2 * lookMs + 1_000).toBeLessThanOrEqual(3_000);
});
