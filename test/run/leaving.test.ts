import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { isAlive } from '../../src/store/processes.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, slaPlan } from '../support/runs.ts';
import { auditRows, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

const anaIsTarget = {
  ...{ step: 'page', arg: 'service', kind: 'service' as const, value: 'ops' },
  ...{ label: 'pages Ana Ruiz, on call for ops', identity: 'PANA01' },
};

test('a process that gave up its runs makes no more writes, even when its pause ends', async () => {
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
  void use.runner().run(key);
  await paused.promise;
  const { executorId } = use.runner();
  const queued = await approvedRun(use.db(), 'queued', slaPlan(), { targets: [anaIsTarget] });
  const logIsBusy = Promise.withResolvers<void>();
  const asks = Promise.withResolvers<void>();
  use.vendors().behaviour.oncall = async () => {
    asks.resolve();
    await logIsBusy.promise;
    return [{ id: 'PANA01', name: 'Ana Ruiz', email: '', level: 1, until: null }];
  };
  void use.runner().run(queued);
  await asks.promise;
  await use
    .second()
    .transaction()
    .execute(async (trx) => {
      // Another line is being written, so this run waits between its intent and its own.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${TEAM}`}, 0))`.execute(trx);
      logIsBusy.resolve();
      const waiting = sql<{
        n: number;
      }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted`;
      for (let queued = 0; queued === 0; ) queued = (await waiting.execute(trx)).rows[0]?.n ?? 0;
      await use.runner().stop(1);
    });
  // Others may take over its runs from now on.
  await expect.poll(() => isAlive(use.db(), executorId)).toBe(false);

  goOn.resolve();
  for (let turn = 0; turn < 100; turn += 1) await use.db().selectFrom('writes').select('state').execute();
  expect(asked).toHaveLength(1);
  const lines = await auditRows(use.db(), TEAM, `run:${key.runId}`);
  expect(lines.filter(({ kind }) => kind === 'write.intended')).toHaveLength(1);
  expect((await writeRows(use.db(), key.runId)).map(({ state }) => state)).toEqual(['intended']);
});
