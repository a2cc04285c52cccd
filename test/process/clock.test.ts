/** Why: for all its background work a process asks the database one thing a second, and nothing waits longer than that. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startClock } from '../../src/process/clock.ts';
import { due } from '../../src/process/due.ts';
import { holdExecutorLock } from '../../src/process/lock.ts';
import * as outbox from '../../src/store/outbox.ts';
import { keepingLog, until } from '../support/slack-workspace.ts';
import { minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const message = { teamId: TEAM, conversation: 'c', kind: 'reply', payload: {}, now: minutes(0) } as const;

test('lists what is due per workspace, and nothing before its time', async () => {
  const causes = async (at: number) => {
    const found = await due(store.db(), [TEAM, 'T0OTHER'], minutes(at));
    return found.map((one) => Object.entries(one).flatMap(([cause, isDue]) => (isDue === true ? cause : [])));
  };
  expect(await causes(5)).toEqual([[], []]);
  const lock = await holdExecutorLock(store.url(), 'living', () => undefined);
  try {
    await outbox.enqueue(store.db(), { ...message, key: 'm', now: minutes(3) });
    await sql`insert into incidents (team_id, id, opened_at, look_at)
      values ('T0OTHER', 'P1', ${minutes(0)}, ${minutes(4)})`.execute(store.db());
    await sql`insert into inbox (team_id, key, event, executor, attempts, at)
      values (${TEAM}, 'k', '{}', 'living', 1, ${minutes(0)})`.execute(store.db());
    expect(await causes(2)).toEqual([[], []]);
    expect(await causes(3)).toEqual([['messages'], []]);
    expect(await causes(4)).toEqual([['messages'], ['incidents']]);
  } finally {
    await lock.release();
  }
  await expect.poll(() => causes(2)).toEqual([['arrivals'], []]);
});

test('a task runs at once and again while it has a cause, never twice at once, and survives a failure', async () => {
  await outbox.enqueue(store.db(), { ...message, key: 'again' });
  const log = keepingLog();
  const clock = startClock({ db: store.db(), now: () => minutes(1), log });
  const [seen, never]: [number[], number[]] = [[], []];
  let underWay = 0;
  const loop = clock.on(TEAM, 'messages', async () => {
    underWay += 1;
    seen.push(underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    if (seen.length === 1) throw new Error('the first one fails');
  });
  const idle = clock.on(TEAM, 'expired', async () => void never.push(1));
  expect(seen).toHaveLength(1);
  await until(() => seen.length > 2);
  await Promise.all([loop.stop(), idle.stop(), clock.stop()]);
  expect(seen.every((many) => many === 1)).toBe(true);
  expect(never).toHaveLength(1);
  expect(log.lines.map((line) => line.message)).toEqual(['Background task failed']);
});
