import { expect, test } from 'vitest';
import { followersOf } from '../../src/store/followed-incidents.ts';
import { keep } from '../../src/store/steps.ts';
import { approvedRun, slaPlan } from '../support/runs.ts';
import { minutes, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('an incident is followed where it has a row or a run opened it, among the workspaces asked about', async () => {
  const db = store.db();
  const at = minutes(1);
  const row = (teamId: string) => ({ teamId, id: 'Q1', openedAt: at, lookAt: null });
  await db
    .insertInto('incidents')
    .values([row('T1'), row('T9')].map((one) => ({ ...one, failures: 0 })))
    .execute();
  const { runId } = await approvedRun(db, 'opened', slaPlan());
  const about = { stepId: 'page', tool: 'pagerduty.page', startedAt: at.toISOString() };
  const result = {
    ...about,
    status: 'succeeded',
    result: { incident: 'Q1' },
    reason: null,
    attempts: 1,
  } as const;
  await keep(db, { teamId: TEAM, runId }, [
    { ...about, result: { ...result, finishedAt: at.toISOString() } },
  ]);
  expect([...(await followersOf(db, 'Q1', ['T1', 'T2', TEAM]))].sort()).toEqual(['T1', TEAM].sort());
  expect(await followersOf(db, 'Q2', ['T1', 'T2', TEAM])).toEqual([]);
});
