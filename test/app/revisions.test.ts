import { expect, test } from 'vitest';
import { proposeDeps } from '../../src/app/revisions.ts';
import type { World } from '../../src/app/world.ts';
import type { Proposal } from '../../src/approval/propose.ts';
import { type Revision, seal } from '../../src/core/revision.ts';
import * as revisions from '../../src/store/revisions.ts';
import { approvedRun, proposed, REQUESTER, runCatalogue, sealedOf, slaPlan } from '../support/runs.ts';
import { givenRequest, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

/** Stores another revision of a request, made from the one before it. */
async function storeNext(id: string, change: Partial<Proposal>, number = 2) {
  const world = { db: store.db(), teamId: TEAM, catalogue: runCatalogue } as Partial<World> as World;
  const request = await givenRequest(store.db(), id);
  const plan = slaPlan();
  const about: Proposal = {
    ...{ request, plan, planner: 'person', notes: [], usd: 0, actor: REQUESTER, answerers: [] },
    ...{ basedOn: seal(sealedOf(id, plan)), inWords: false, replaces: true },
    ...change,
  };
  return proposeDeps(world).store(seal(sealedOf(id, plan, { number })), about);
}

const numberOf = async (id: string) => (await revisions.latest(store.db(), TEAM, id))?.number;
const numbers = (replaced: readonly Revision[] | null) => replaced?.map(({ sealed }) => sealed.number);

test('a change of a plan that was approved while it was made is too late and stores nothing', async () => {
  await approvedRun(store.db(), 'approved', slaPlan());
  expect(await storeNext('approved', {})).toBeNull();
  expect(await numberOf('approved')).toBe(1);
  // What follows a run leaves the approved one as it is.
  expect(numbers(await storeNext('approved', { replaces: false }))).toEqual([]);
  expect(await revisions.get(store.db(), TEAM, 'approved', 1)).toMatchObject({ state: 'approved' });
});

test('of two changes of one plan the second is too late, and a plan that was made twice has one card', async () => {
  await proposed(store.db(), 'open', slaPlan());
  expect(await storeNext('open', { basedOn: null })).toBeNull();
  expect(numbers(await storeNext('open', {}))).toEqual([1]);
  expect(await storeNext('open', {})).toBeNull();
  expect(await storeNext('open', {}, 3)).toBeNull();
  expect(await numberOf('open')).toBe(2);
});
