import { expect, test } from 'vitest';
import { type ApprovalDeps, proposePort } from '../../src/app/approval-stage.ts';
import { type Revision, seal } from '../../src/core/revision.ts';
import { firstTurn, type Turn } from '../../src/core/turn.ts';
import * as revisions from '../../src/store/revisions.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { approvedRun, proposed, REQUESTER, sealedOf, slaPlan } from '../support/runs.ts';
import { givenRequest, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

/** Stores another revision of a request, made from the one before it. */
async function storeNext(id: string, change: Partial<Turn>, number = 2) {
  const deps = {
    db: store.db(),
    teamId: TEAM,
    manifests: testCatalogue().manifests,
    decided: () => {},
  } as Partial<ApprovalDeps> as ApprovalDeps;
  await givenRequest(store.db(), id);
  const plan = slaPlan();
  const turn: Turn = {
    ...firstTurn(REQUESTER, `${id}:${number}`),
    basedOn: seal(sealedOf(id, plan)),
    ...change,
  };
  return proposePort(deps).store(seal(sealedOf(id, plan, { number })), turn);
}

const numberOf = async (id: string) => (await revisions.latest(store.db(), TEAM, id))?.number;
const numbers = (stored: readonly Revision[] | string) =>
  typeof stored === 'string' ? stored : stored.map(({ sealed }) => sealed.number);

test('a change of a plan that was approved while it was made is too late and stores nothing', async () => {
  await approvedRun(store.db(), 'approved', slaPlan());
  expect(await storeNext('approved', {})).toBe('closed');
  expect(await numberOf('approved')).toBe(1);
  // What follows a run leaves the approved one as it is.
  expect(numbers(await storeNext('approved', { replaces: false }))).toEqual([]);
  expect(await revisions.get(store.db(), TEAM, 'approved', 1)).toMatchObject({ state: 'approved' });
});

test('of two changes of one plan the second is too late, and what is worked on twice makes one card', async () => {
  await proposed(store.db(), 'open', slaPlan());
  // `proposed` was caused by `open`: its process died before it had marked that as done.
  expect(await storeNext('open', { basedOn: null, cause: 'open' })).toBe('known');
  expect(numbers(await storeNext('open', {}))).toEqual([1]);
  expect(await storeNext('open', {})).toBe('known');
  expect(await storeNext('open', { cause: 'another' })).toBe('closed');
  expect(await storeNext('open', { cause: 'another' }, 3)).toBe('closed');
  expect(await numberOf('open')).toBe(2);
});
