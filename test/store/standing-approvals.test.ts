import { expect, test } from 'vitest';
import { decide } from '../../src/store/decide.ts';
import { propose } from '../../src/store/propose.ts';
import * as standing from '../../src/store/standing-approvals.ts';
import { givenRequest, minutes, NOON, openTestStore, revisionOf, TEAM } from '../support/store.ts';

const store = openTestStore();

test('a standing approval decides cards before its end date and none after', async () => {
  const id = 'until-ten';
  const of = {
    teamId: TEAM,
    id,
    scope: 'watch:w1',
    version: '',
    planKey: 'page ops',
    policy: 'p',
    catalogue: 'c',
  };
  const given = {
    ...of,
    summary: 'Page ops',
    channel: 'C0OPS',
    owner: 'U0ANA',
    until: minutes(10),
    perDay: 9,
  };
  await standing.give(store.db(), { ...given, by: 'U0BEN', now: NOON });
  await standing.activate(store.db(), { teamId: TEAM, id, approvers: ['U0BEN'], now: NOON, messages: [] });
  const decided = async (requestId: string, now: Date) => {
    const revision = revisionOf(await givenRequest(store.db(), requestId), 1, { planKey: 'page ops' });
    expect(await propose(store.db(), revision)).toMatchObject({ ok: true });
    const { teamId, number, digest } = revision;
    const about = { teamId, requestId, number, digest, reason: null, standing: { id, writes: 1 } };
    const answer = await decide(store.db(), {
      ...about,
      to: 'approved',
      by: 'U0BEN',
      runId: `run-${requestId}`,
      now,
    });
    await store
      .db()
      .updateTable('revisions')
      .set({ planKey: null })
      .where('requestId', '=', requestId)
      .execute();
    await store
      .db()
      .updateTable('runs')
      .set({ state: 'finished' })
      .where('requestId', '=', requestId)
      .execute();
    return answer.ok;
  };
  expect(await decided('before', minutes(9))).toBe(true);
  expect(await decided('at', minutes(10))).toBe(false);
  expect(await decided('after', minutes(11))).toBe(false);
});
