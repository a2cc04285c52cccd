import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ExecutorLock, holdExecutorLock } from '../../src/process/lock.ts';
import { isAlive } from '../../src/store/processes.ts';
import { openTestStore } from '../support/store.ts';

const store = openTestStore();

function hold(
  id: string,
  onLost: (reason: Error) => void = () => expect.unreachable('lost'),
): Promise<ExecutorLock> {
  return holdExecutorLock(store.url(), id, onLost);
}

test('a process is alive while it holds its lock, and no two hold the same', async () => {
  expect(await isAlive(store.db(), 'e-one')).toBe(false);
  const one = await hold('e-one');
  expect(await isAlive(store.db(), 'e-one')).toBe(true);
  expect(await isAlive(store.db(), 'e-other')).toBe(false);
  await expect(hold('e-one')).rejects.toMatchObject({ code: 'lock_held' });
  await one.release();
  // The server takes its time to end the session.
  await expect.poll(() => isAlive(store.db(), 'e-one')).toBe(false);
});

test('a dropped connection is reported once, and then the process counts as gone', async () => {
  const reasons: Error[] = [];
  const lost = Promise.withResolvers<void>();
  await hold('e-cut', (reason) => {
    reasons.push(reason);
    lost.resolve();
  });
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'countersign-executor' and datname = current_database()`.execute(store.db());
  await lost.promise;
  await expect.poll(() => isAlive(store.db(), 'e-cut')).toBe(false);
  expect(reasons).toHaveLength(1);
});

test('an unreachable database is an immediate error, not a lost lock', async () => {
  const onLost = () => expect.unreachable('lost');
  await expect(holdExecutorLock('postgres://x:y@127.0.0.1:1/z', 'e-none', onLost)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
