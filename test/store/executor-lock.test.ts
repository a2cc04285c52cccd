import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { type ExecutorLock, holdExecutorLock } from '../../src/store/executor-lock.ts';
import { openTestStore } from '../support/store.ts';

const store = openTestStore();

function hold(
  id: string,
  onLost: (reason: Error) => void = () => expect.unreachable('lost'),
): Promise<ExecutorLock> {
  return holdExecutorLock(store.url(), id, onLost);
}

test('while an executor lives nobody takes its work over, and after its end one of many does', async () => {
  const dying = await hold('e-dying');
  const heirs = await Promise.all(['e-1', 'e-2', 'e-3'].map((id) => hold(id)));
  const attempts = () => Promise.all(heirs.map((heir) => heir.tryTakeOver('e-dying')));
  expect(await attempts()).toEqual([false, false, false]);

  await dying.release();
  // The server ends the session in its own time, so ask until somebody has it.
  await expect.poll(async () => (await attempts()).filter(Boolean).length).toBe(1);
  // The heir does not inherit twice while it is at it, and the others see it as taken.
  expect(await attempts()).toEqual([false, false, false]);
  for (const heir of heirs) await heir.letGo('e-dying');
  expect((await attempts()).filter(Boolean)).toHaveLength(1);
  for (const heir of heirs) await heir.release();
});

test('a process neither takes over itself nor loses its own lock by letting go of it', async () => {
  const one = await hold('e-self');
  const two = await hold('e-other');
  expect(await one.tryTakeOver('e-self')).toBe(false);
  await one.letGo('e-self');
  await one.letGo('e-never-taken');
  expect(await two.tryTakeOver('e-self')).toBe(false);
  await expect(hold('e-self')).rejects.toMatchObject({ code: 'lock_held' });
  await one.release();
  await two.release();
});

test('a dropped connection is told once, and then others may take over', async () => {
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
  const heir = await hold('e-heir');
  await expect.poll(() => heir.tryTakeOver('e-cut')).toBe(true);
  expect(reasons).toHaveLength(1);
  await heir.release();
});

test('a database that is not there is an error at once and not a lost lock', async () => {
  const onLost = () => expect.unreachable('lost');
  await expect(holdExecutorLock('postgres://x:y@127.0.0.1:1/z', 'e-none', onLost)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test('a lock that was granted although the attempt timed out is noticed at the next attempt and released', async () => {
  const heir = await hold('e-late-heir');
  const real = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(async function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    await Reflect.apply(real, this, given);
    throw new Error('Query read timeout');
  } as never);
  await expect(heir.tryTakeOver('e-late')).rejects.toThrow('Query read timeout');
  spy.mockRestore();
  // The server has given it to us: nobody else can have it, so we have to.
  const other = await hold('e-late-other');
  expect(await other.tryTakeOver('e-late')).toBe(false);
  expect(await heir.tryTakeOver('e-late')).toBe(true);
  await heir.letGo('e-late');
  expect(await other.tryTakeOver('e-late')).toBe(true);
  await heir.release();
  await other.release();
});
