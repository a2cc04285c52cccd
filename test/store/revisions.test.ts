import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DigestError } from '../../src/core/revision.ts';
import * as approvals from '../../src/store/approvals.ts';
import { type Decision, decide } from '../../src/store/decide.ts';
import { type ProposedRevision, propose } from '../../src/store/propose.ts';
import * as revisions from '../../src/store/revisions.ts';
import * as runs from '../../src/store/runs.ts';
import { slaPlan } from '../support/plans.ts';
import { revisionOf as sealedRevision } from '../support/revisions.ts';
import { auditRows, givenRequest, minutes, NOON, openTestStore, revisionOf, TEAM } from '../support/store.ts';

const store = openTestStore();

function decisionOn(revision: ProposedRevision, changes: Partial<Decision> = {}): Decision {
  const { teamId, requestId, number, digest } = revision;
  return {
    teamId,
    requestId,
    number,
    digest,
    to: 'approved',
    by: 'U0BEN',
    reason: null,
    now: minutes(10),
    ...changes,
  };
}

async function kindsAbout(subject: string): Promise<string[]> {
  return (await auditRows(store.db(), TEAM, subject)).map((line) => line.kind).reverse();
}

test('of equal plans only one is open, even if two processes store them at once', async () => {
  const ids = ['same_1', 'same_2', 'same_3'];
  const requests = [];
  for (const id of ids) requests.push(await givenRequest(store.db(), id));
  const stored = await Promise.all(
    requests.map((request, index) =>
      propose(index === 1 ? store.second() : store.db(), revisionOf(request, 1, { planKey: 'the same' })),
    ),
  );
  const first = stored.findIndex(({ ok }) => ok);
  expect(stored.filter(({ ok }) => ok)).toHaveLength(1);
  for (const answer of stored.filter(({ ok }) => !ok)) {
    expect(answer).toEqual({ ok: false, why: 'under_way', holder: ids[first] });
  }
});

test('a new revision supersedes the open one and returns where its card is', async () => {
  const request = await givenRequest(store.db(), 'edit');
  const first = revisionOf(request, 1);
  expect(await propose(store.db(), first)).toEqual({ ok: true, superseded: [] });
  await revisions.setCard(store.db(), {
    teamId: TEAM,
    requestId: 'edit',
    number: 1,
    channel: 'C0INC',
    ts: '1.1',
  });

  const second = revisionOf(request, 2, { basedOn: 1, authors: ['U0ANA', 'U0CID'], actor: 'U0CID' });
  const result = await propose(store.db(), second);
  expect(result).toMatchObject({
    ok: true,
    superseded: [{ number: 1, state: 'superseded', cardChannel: 'C0INC', cardTs: '1.1', decidedBy: 'U0CID' }],
  });
  expect(await revisions.latest(store.db(), TEAM, 'edit')).toEqual({
    teamId: TEAM,
    requestId: 'edit',
    number: 2,
    digest: second.digest,
    bytes: second.bytes,
    authors: ['U0ANA', 'U0CID'],
    planKey: null,
    state: 'proposed',
    origin: { planner: 'offline', cause: second.cause },
    createdAt: minutes(2),
    expiresAt: minutes(60),
    cardChannel: null,
    cardTs: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    nudgeAt: null,
    nudges: 0,
  });
  expect(await kindsAbout('revision:edit/1')).toEqual(['revision.proposed', 'revision.superseded']);

  expect(await decide(store.db(), decisionOn(first))).toMatchObject({ ok: false, why: 'superseded' });
  expect(await runs.listOf(store.db(), TEAM, 'edit')).toEqual([]);
});

test('of two simultaneous edits of a card one is stored, and the other is refused', async () => {
  const request = await givenRequest(store.db(), 'two-edits');
  await propose(store.db(), revisionOf(request, 1));
  const edits = await Promise.allSettled(
    [store.db(), store.second()].map((db, index) =>
      propose(
        db,
        revisionOf(request, 2, { basedOn: 1, actor: `U000${index}`, digest: `${index}`, cause: `${index}` }),
      ),
    ),
  );
  const stored = edits.filter((edit) => edit.status === 'fulfilled' && edit.value.ok);
  const refused = edits.filter((edit) => edit.status === 'fulfilled' && !edit.value.ok);
  expect([stored.length, refused.length]).toEqual([1, 1]);
  // An edit that does not name its base is stopped by the taken number.
  await expect(propose(store.db(), revisionOf(request, 2))).rejects.toMatchObject({
    code: 'revision_exists',
  });
  expect(await revisions.latest(store.db(), TEAM, 'two-edits')).toMatchObject({
    number: 2,
    state: 'proposed',
  });
});

test('an edit of a revision approved in the meantime stores nothing', async () => {
  const request = await givenRequest(store.db(), 'late-edit');
  const first = revisionOf(request, 1);
  await propose(store.db(), first);
  await decide(store.db(), decisionOn(first));
  expect(await propose(store.db(), revisionOf(request, 2, { basedOn: 1 }))).toMatchObject({
    ok: false,
    why: 'not_open',
    current: { number: 1, state: 'approved', decidedBy: 'U0BEN' },
  });
  expect(await revisions.latest(store.db(), TEAM, 'late-edit')).toMatchObject({ number: 1 });
  // A replan after the run is its own revision and does not claim to be an edit.
  expect(await propose(store.db(), revisionOf(request, 2))).toEqual({ ok: true, superseded: [] });
});

test('a revision of an unknown request is refused', async () => {
  const stranger = { ...(await givenRequest(store.db(), 'known')), id: 'unknown' };
  await expect(propose(store.db(), revisionOf(stranger, 1))).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('ten clicks from two processes are one approval: one run, one grant, one audit line', async () => {
  const request = await givenRequest(store.db(), 'ten-clicks');
  const revision = revisionOf(request, 1);
  await propose(store.db(), revision);
  const clicks = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      decide(index % 2 === 0 ? store.db() : store.second(), decisionOn(revision, { by: `U000${index}` })),
    ),
  );
  const won = clicks.filter((click) => click.ok);
  expect(won).toHaveLength(1);
  for (const click of clicks.filter((each) => !each.ok)) {
    expect(click).toMatchObject({ why: 'already_decided', current: { state: 'approved' } });
  }
  const [run, ...others] = await runs.listOf(store.db(), TEAM, 'ten-clicks');
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    mode: 'run',
    state: 'running',
    outcome: null,
    number: 1,
    startedAt: minutes(10),
  });
  const [grant, ...more] = await revisions.approvalsOf(store.db(), TEAM, 'ten-clicks');
  expect(more).toEqual([]);
  const winner = won[0]?.ok === true ? won[0].revision.decidedBy : null;
  expect(grant).toMatchObject({
    runId: run?.id,
    digest: revision.digest,
    approver: winner,
    consumedAt: null,
  });
  expect(await kindsAbout('revision:ten-clicks/1')).toEqual(['revision.proposed', 'revision.approved']);
});

test('a simultaneous approval and edit never both win', async () => {
  for (let round = 0; round < 10; round += 1) {
    const request = await givenRequest(store.db(), `race-${round}`);
    const revision = revisionOf(request, 1);
    await propose(store.db(), revision);
    const [yes, edit] = await Promise.all([
      decide(store.db(), decisionOn(revision)),
      propose(store.second(), revisionOf(request, 2, { basedOn: 1 })),
    ]);
    expect([yes.ok, edit.ok].filter(Boolean)).toHaveLength(1);
    expect(await runs.listOf(store.db(), TEAM, request.id)).toHaveLength(yes.ok ? 1 : 0);
  }
});

test('a wrong, unknown, decided or late revision is not approved, and the reason is returned', async () => {
  const request = await givenRequest(store.db(), 'refusals');
  const revision = revisionOf(request, 1);
  await propose(store.db(), revision);
  const tries: [Partial<Decision>, string][] = [
    [{ digest: '0'.repeat(64) }, 'digest_mismatch'],
    [{ number: 7 }, 'not_found'],
    [{ requestId: 'elsewhere' }, 'not_found'],
    [{ teamId: 'T0002' }, 'not_found'],
    [{ now: revision.expiresAt }, 'expired'],
    [{ now: minutes(61) }, 'expired'],
  ];
  for (const [changes, why] of tries) {
    expect(await decide(store.db(), decisionOn(revision, changes))).toMatchObject({ ok: false, why });
  }
  // An approval that counts towards a decision must be stored.
  const counted = decisionOn(revision, { others: ['U0NOBODY'] });
  expect(await decide(store.db(), counted)).toMatchObject({ ok: false, why: 'changed_meanwhile' });
  expect(await revisions.latest(store.db(), TEAM, 'refusals')).toMatchObject({ state: 'proposed' });

  const no = await decide(
    store.db(),
    decisionOn(revision, { to: 'rejected', reason: 'too\u0000 broad', now: minutes(61) }),
  );
  expect(no).toMatchObject({
    ok: true,
    runId: null,
    revision: { state: 'rejected', reason: 'too\uFFFD broad' },
  });
  expect(await decide(store.db(), decisionOn(revision))).toMatchObject({ ok: false, why: 'already_decided' });
  expect(await runs.listOf(store.db(), TEAM, 'refusals')).toEqual([]);
  expect(await kindsAbout('revision:refusals/1')).toEqual(['revision.proposed', 'revision.rejected']);
});

test('an approval whose audit line cannot be written does not count', async () => {
  const request = await givenRequest(store.db(), 'no-audit', { teamId: 'T0BROKEN' });
  const revision = revisionOf(request, 1);
  await propose(store.db(), revision);
  await sql`alter table audit add constraint no_more check (team_id <> 'T0BROKEN') not valid`.execute(
    store.db(),
  );
  await expect(decide(store.db(), decisionOn(revision))).rejects.toMatchObject({ constraint: 'no_more' });
  await sql`alter table audit drop constraint no_more`.execute(store.db());
  expect(await revisions.latest(store.db(), 'T0BROKEN', 'no-audit')).toMatchObject({
    state: 'proposed',
    decidedBy: null,
  });
  expect(await runs.listOf(store.db(), 'T0BROKEN', 'no-audit')).toEqual([]);
  expect(await decide(store.db(), decisionOn(revision))).toMatchObject({ ok: true });
});

test('two processes expire each due revision once, and an expired one cannot be approved', async () => {
  const early = { createdAt: NOON, expiresAt: minutes(5) };
  for (let index = 0; index < 6; index += 1) {
    const request = await givenRequest(store.db(), `due-${index}`, {
      teamId: index < 3 ? 'T0DUE1' : 'T0DUE2',
    });
    await propose(store.db(), revisionOf(request, 1, early));
  }
  const later = await givenRequest(store.db(), 'not-due', { teamId: 'T0DUE1' });
  await propose(store.db(), revisionOf(later, 1));

  const rounds = await Promise.all(
    [store.db(), store.second()].flatMap((db) =>
      ['T0DUE1', 'T0DUE2'].map((teamId) => revisions.expireDue(db, teamId, minutes(5))),
    ),
  );
  const expired = rounds.flat();
  expect(expired.map((each) => each.requestId).sort()).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => `due-${index}`),
  );
  expect(expired.every((each) => each.state === 'expired' && each.decidedBy === null)).toBe(true);
  expect(await revisions.expireDue(store.db(), 'T0DUE1', minutes(5))).toEqual([]);
  expect(
    (await revisions.listOpen(store.db(), { teamId: 'T0DUE1', limit: 10 })).map((each) => each.requestId),
  ).toEqual(['not-due']);

  const gone = expired[0];
  const click = { requestId: gone?.requestId ?? '', digest: gone?.digest ?? '', teamId: gone?.teamId ?? '' };
  expect(await decide(store.db(), decisionOn(revisionOf(later, 1), click))).toMatchObject({
    ok: false,
    why: 'expired',
  });
});

test('a reason alone does not break glass; only an explicit flag does', async () => {
  const how = async (id: string, changes: Partial<Decision>) => {
    const request = await givenRequest(store.db(), id);
    const revision = revisionOf(request, 1);
    await propose(store.db(), revision);
    const given = await decide(store.db(), decisionOn(revision, changes));
    const runId = given.ok ? (given.runId ?? '') : '';
    return (await approvals.ofRun(store.db(), { teamId: TEAM, runId }))?.how;
  };
  expect(await how('reason', { reason: 'the customer agreed' })).toBe('clicked');
  expect(await how('glass', { reason: 'payments are down', glass: true })).toBe('glass');
});

test('a plan that was read before is refused as soon as its bytes are changed', () => {
  const { bytes, digest } = sealedRevision(slaPlan());
  expect(revisions.revisionOf({ bytes, digest }).sealed.requester).toBe('U0BEN');
  const changed = { bytes: bytes.replace('U0BEN', 'U0EVE'), digest };
  expect(() => revisions.revisionOf(changed)).toThrow(DigestError);
  expect(revisions.revisionOf({ bytes, digest }).bytes).toBe(bytes);
});
