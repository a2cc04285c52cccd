/** Why: people must not notice that a process died, so its runs go on within three seconds. */
import { expect, test } from 'vitest';
import { lookMs } from '../../src/process/clock.ts';
import { holdExecutorLock } from '../../src/process/lock.ts';
import { takeOver } from '../../src/process/takeover.ts';
import { take } from '../../src/store/load-run.ts';
import { givenRun, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

/** Stores a run for each of these, taken by the process of that name. */
async function runsOf(holders: Readonly<Record<string, string | null>>): Promise<string[]> {
  const ids: string[] = [];
  for (const [id, holder] of Object.entries(holders)) {
    const { runId } = await givenRun(store.db(), id);
    if (holder !== null) await take(store.db(), { teamId: TEAM, runId, entered: 0 }, holder);
    ids.push(runId);
  }
  return ids;
}

function looking() {
  const begun: string[] = [];
  const look = takeOver(store.db(), 'me', async ({ runId }) => void begun.push(runId));
  return { look, begun };
}

test('a dead process’s run starts at the next look, and a living one’s at none', async () => {
  const lock = await holdExecutorLock(store.url(), 'living', () => undefined);
  try {
    const [left, theirs] = await runsOf({ left: 'gone', theirs: 'living' });
    const { look, begun } = looking();
    await look();
    expect(begun).toContain(left);
    await look();
    expect(begun).not.toContain(theirs);
  } finally {
    await lock.release();
  }
});

test('a run that nobody took, or that broke off here, starts at the second look', async () => {
  const lock = await holdExecutorLock(store.url(), 'me', () => undefined);
  try {
    const idle = await runsOf({ stored: null, broken: 'me' });
    const { look, begun } = looking();
    await look();
    expect(begun.filter((id) => idle.includes(id))).toEqual([]);
    await look();
    expect(begun.filter((id) => idle.includes(id)).sort()).toEqual(idle.sort());
  } finally {
    await lock.release();
  }
});

test('a run taken since the last look is left to its holder', async () => {
  const lock = await holdExecutorLock(store.url(), 'quicker', () => undefined);
  try {
    const [runId = ''] = await runsOf({ taken: null });
    const { look, begun } = looking();
    await look();
    await take(store.db(), { teamId: TEAM, runId, entered: 0 }, 'quicker');
    await look();
    expect(begun).not.toContain(runId);
  } finally {
    await lock.release();
  }
});

test('two looks and a second to start fit into three seconds', () => {
  expect(2 * lookMs + 1_000).toBeLessThanOrEqual(3_000);
});
