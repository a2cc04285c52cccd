import { expect, test } from 'vitest';
import { storeRevision } from '../../../src/approval/propose.ts';
import { planKeyOf } from '../../../src/approval/seal-plan.ts';
import { applyStanding } from '../../../src/approval/standing/apply.ts';
import { standingBasis } from '../../../src/approval/standing/give.ts';
import { firstTurn } from '../../../src/core/planning-turn.ts';
import { cancel } from '../../../src/store/cancel.ts';
import * as standingApprovals from '../../../src/store/standing-approvals.ts';
import { approvalContext } from '../../support/approval.ts';
import { testPolicy } from '../../support/catalogue.ts';
import { slaRevision } from '../../support/revisions.ts';
import { givenRequest, minutes, NOON, openTestStore } from '../../support/store.ts';

const store = openTestStore();
const policy = { ...testPolicy, reads: 'ask' } as const;
const until = minutes(20);
let teams = 0;

/** A waiting card, and an active standing approval for that version of its playbook. */
async function setUp(version: string, now = NOON) {
  teams += 1;
  const teamId = `T${teams}`;
  const id = `standing-${teams}`;
  const ctx = approvalContext(store.db(), { teamId, policy, now: () => now });
  const { db, rules } = ctx;
  const source = { scope: 'playbook:sla', version: '1' };
  const revision = slaRevision({ teamId, source, policy });
  const { requestId, plan, requester: owner } = revision.sealed;
  await givenRequest(db, requestId, { teamId });
  await storeRevision(revision, firstTurn(owner, 'card'), null, ctx);
  await standingApprovals.give(db, {
    ...{ teamId, id, scope: source.scope, version, planKey: planKeyOf(plan) },
    ...standingBasis(revision.sealed, rules),
    ...{ summary: 'Page ops', channel: 'C0OPS', owner, until, perDay: 9 },
    ...{ by: 'U0ANA', now: NOON },
  });
  await standingApprovals.activate(db, { teamId, id, approvers: ['U0ANA'], now: NOON, messages: [] });
  const endOf = async () => {
    const row = await standingApprovals.get(db, { teamId, id });
    return row?.endReason ?? null;
  };
  return { ctx, revision, endOf };
}

test('a card is tried once, and forgotten when it is no longer open', async () => {
  const { ctx, revision } = await setUp('1');
  const { teamId, requestId, number } = revision.sealed;
  const tried = new Set([`standing-${teams}:${revision.digest}`]);
  expect(await applyStanding(ctx, tried)).toEqual([]);
  expect(tried.size).toBe(1);
  const about = { teamId, requestId, number, digest: revision.digest, reason: 'no longer needed', now: NOON };
  await cancel(ctx.db, about);
  await applyStanding(ctx, tried);
  expect(tried.size).toBe(0);
});

test('a waiting card that is covered gets its run', async () => {
  const { ctx } = await setUp('1');
  expect(await applyStanding(ctx, new Set())).toEqual([{ runId: 'run-req-1-1', requestId: 'req-1' }]);
});

test('a standing approval ends with its playbook and at its date, and says so', async () => {
  const changed = await setUp('0', new Date(until.getTime() - 1));
  expect(await applyStanding(changed.ctx, new Set())).toEqual([]);
  expect(await changed.endOf()).toBe('The playbook has changed.');
  const over = await setUp('1', until);
  expect(await applyStanding(over.ctx, new Set())).toEqual([]);
  expect(await over.endOf()).toBe('It reached its end date.');
});
