import { expect, test } from 'vitest';
import { storeRevision } from '../../src/approval/propose.ts';
import { firstTurn, type Turn } from '../../src/core/planning-turn.ts';
import { seal } from '../../src/core/revision.ts';
import * as revisions from '../../src/store/revisions.ts';
import { approvalContext } from '../support/approval.ts';
import { approvedRun, proposed, REQUESTER, sealedOf, slaPlan } from '../support/runs.ts';
import { givenRequest, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

/** Stores the next revision of a request, based on its first. */
async function storeNext(id: string, change: Partial<Turn>, number = 2) {
  await givenRequest(store.db(), id);
  // Only one of several equal plans can be open, so each has a different text.
  const about = id.replaceAll('_', ' ');
  const same = slaPlan();
  const steps = same.steps.map((step) =>
    step.id === 'page' ? { ...step, args: { service: 'ops', text: about } } : step,
  );
  const plan = { ...same, steps };
  const turn: Turn = {
    ...firstTurn(REQUESTER, `${id}:${number}`),
    basedOn: seal(sealedOf(id, plan)),
    ...change,
  };
  return storeRevision(seal(sealedOf(id, plan, { number })), turn, null, approvalContext(store.db()));
}

const numberOf = async (id: string) => (await revisions.latest(store.db(), TEAM, id))?.number;

test('a change to a plan approved in the meantime is too late and stores nothing', async () => {
  await approvedRun(store.db(), 'approved', slaPlan());
  expect(await storeNext('approved', {})).toEqual({ kind: 'closed' });
  expect(await numberOf('approved')).toBe(1);
  // A plan that follows a run leaves the approved one alone.
  expect(await storeNext('approved', { replaces: false })).toEqual({ kind: 'new', number: 2 });
  expect(await revisions.get(store.db(), TEAM, 'approved', 1)).toMatchObject({ state: 'approved' });
});

test('the second of two changes to a plan is too late, and a repeated turn makes one card', async () => {
  await proposed(store.db(), 'open', slaPlan());
  // `proposed` was caused by `open`: its process died before it had marked that as done.
  expect(await storeNext('open', { basedOn: null, cause: 'open' })).toEqual({ kind: 'known', number: 1 });
  expect(await storeNext('open', {})).toEqual({ kind: 'new', number: 2 });
  expect(await revisions.get(store.db(), TEAM, 'open', 1)).toMatchObject({ state: 'superseded' });
  expect(await storeNext('open', {})).toEqual({ kind: 'known', number: 2 });
  expect(await storeNext('open', { cause: 'another' })).toEqual({ kind: 'closed' });
  expect(await storeNext('open', { cause: 'another' }, 3)).toEqual({ kind: 'closed' });
  expect(await numberOf('open')).toBe(2);
});
