import { expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { holdExecutorLock } from '../../src/store/executor-lock.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, slaPlan } from '../support/runs.ts';
import { TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

test('a process that has left its runs to others makes no write any more, however a pause of it ends', async () => {
  const asked: string[] = [];
  use.vendors().behaviour.beforePage = async ({ dedupKey }) => {
    asked.push(dedupKey);
    throw new VendorError('rate_limited', 'Wait.', {
      retryable: true,
      mayHaveHappened: false,
      retryAfterMs: 9_000,
    });
  };
  const paused = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  use.pauseBy(async (ms) => {
    if (ms !== 9_000) return;
    paused.resolve();
    await goOn.promise;
  });
  const key = await approvedRun(use.db(), 'left', slaPlan());
  await use.runner().start(TEAM, key.runId);
  await paused.promise;
  const { executorId } = use.runner();
  await use.runner().stop(1);
  // Others may take its runs over from now on.
  const other = await holdExecutorLock(use.url(), 'somebody-else', () => undefined);
  expect(await other.tryTakeOver(executorId)).toBe(true);
  await other.release();

  goOn.resolve();
  for (let turn = 0; turn < 100; turn += 1) await use.db().selectFrom('writes').select('state').execute();
  expect(asked).toHaveLength(1);
  expect((await writeRows(use.db(), key.runId)).map(({ state }) => state)).toEqual(['intended']);
});
