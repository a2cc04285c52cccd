import { expect, test } from 'vitest';
import { type Arrival, take } from '../../src/request/intake.ts';
import { NOON, openTestStore } from '../support/store.ts';

const store = openTestStore();

/** The tick of a schedule: two operators may well call theirs the same. */
const tick: Arrival = {
  ...{ key: 'watch:nightly:2026-11-22T03:00:00.000Z', text: 'count P1 in OPS', via: 'schedule' },
  ...{ requester: 'schedule:nightly', home: null, channel: 'C0OPS', threadTs: null, quoted: null },
};

async function idIn(teamId: string): Promise<string | undefined> {
  const log = { info() {}, warn() {}, error() {} };
  const slack = { wordsAt: () => expect.unreachable('no thread') };
  const context = { db: store.db(), teamId, slack, log, mayAsk: async () => true, now: () => NOON };
  return (await take(tick, context, () => expect.unreachable('said')))?.request.id;
}

test('the same tick makes one request in each workspace, and no two workspaces share its id, run or keys', async () => {
  const one = await idIn('T0ONE');
  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(await idIn('T0ONE')).toBe(one);
  expect(await idIn('T0TWO')).not.toBe(one);
});
