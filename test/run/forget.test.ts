import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as runs from '../../src/store/runs.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, slaPlan } from '../support/runs.ts';

const use = openTestRunner();

async function engineRows(runId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from dbos.workflow_status where workflow_uuid = ${runId}`.execute(use.db());
  return rows[0]?.n ?? 0;
}

test('a run that ended is forgotten by the engine and never made again, whoever starts it once more', async () => {
  const key = await approvedRun(use.db(), 'old', slaPlan());
  const other = await approvedRun(use.db(), 'kept', slaPlan());
  expect((await use.run(key)).outcome).toBe('done');
  expect((await use.run(other)).outcome).toBe('done');
  expect(use.vendors().pages).toHaveLength(2);
  await use.runner().forget([]);
  await use.runner().forget([key.runId]);
  expect(await engineRows(key.runId)).toBe(0);
  expect(await engineRows(other.runId)).toBe(1);

  await use.run(key);
  expect(use.vendors().pages).toHaveLength(2);
  expect(await runs.get(use.db(), key)).toMatchObject({ state: 'finished', outcome: 'done' });
});
