/** Why: one process compares what another one writes, so all use the database's clock, whatever their own says. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTime } from '../../src/process/clock.ts';
import { openTestStore } from '../support/store.ts';

const store = openTestStore();

async function databaseTime(): Promise<number> {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(store.db());
  return rows[0]?.time.getTime() ?? Number.NaN;
}

test("a slow or fast machine follows the database's clock, even if its own is set while it runs", async () => {
  // Its clock stands still, so it returns the last time that the database reported.
  let machine = new Date('2001-01-01T00:00:00Z');
  const before = await databaseTime();
  const time = await sharedTime(store.db(), () => machine);
  const after = await databaseTime();
  const first = time.now().getTime();
  expect([before <= first, first <= after]).toEqual([true, true]);
  machine = new Date('2101-01-01T00:00:00Z');
  await time.compare();
  const second = time.now().getTime();
  expect([after <= second, second <= (await databaseTime())]).toEqual([true, true]);
});

test('a machine that agrees with the database uses exactly its own clock', async () => {
  const moments: Date[] = [];
  const machine = () => {
    const moment = new Date();
    moments.push(moment);
    return moment;
  };
  const time = await sharedTime(store.db(), machine);
  await time.compare();
  expect(time.now()).toEqual(moments.at(-1));
});
