import { expect, test } from 'vitest';
import type { Planner, PlanningInput } from '../../src/core/planning.ts';
import { firstTurn, type Turn } from '../../src/core/planning-turn.ts';
import { seal } from '../../src/core/revision.ts';
import type { FailedRun, StepResult } from '../../src/core/run.ts';
import { type PlanContext, planStage } from '../../src/plan/stage.ts';
import { conversationIn } from '../../src/request/conversation.ts';
import { decide } from '../../src/store/decide.ts';
import { propose } from '../../src/store/propose.ts';
import {
  APPROVER,
  approvedRun,
  REQUESTER,
  runCatalogue,
  runPolicy,
  sealedOf,
  slaPlan,
} from '../support/runs.ts';
import { givenRequest, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

const times = { attempts: 1, startedAt: NOON.toISOString(), finishedAt: NOON.toISOString() };

const neverAsked: Planner = {
  plan: () => Promise.reject(new Error('no planner is needed for that')),
};

function stageOf(planner: Planner): PlanContext {
  const shared = { catalogue: runCatalogue, policy: runPolicy, now: () => NOON };
  const onCall = () => Promise.resolve([]);
  const zoneOf = () => Promise.resolve(null);
  const conversation = { conversationIn };
  return {
    db: store.db(),
    teamId: TEAM,
    planner,
    offline: neverAsked,
    onCall,
    zoneOf,
    ...conversation,
    ...shared,
  };
}

/** A run of the plan whose page did not succeed. */
function failedRun(requestId: string, code: string, change: Partial<FailedRun> = {}): FailedRun {
  const read = { tool: 'x', status: 'succeeded', reason: null, ...times } as const;
  const page = { ...read, stepId: 'page', status: 'failed', result: null } as const;
  return {
    ...{ teamId: TEAM, requestId, number: 1, runId: `run-${requestId}-1`, mode: 'run' },
    ...{ at: NOON.toISOString(), plan: slaPlan(), outcome: 'partly' },
    results: [
      { ...read, stepId: 'count', result: { total: 24 } },
      { ...read, stepId: 'sla', result: { max_open: 20 } },
      { ...page, reason: { code, message: 'why' } },
    ],
    ...change,
  };
}

/** The turns that a failed run leads to. */
async function turnsAfter(failed: FailedRun): Promise<Turn[]> {
  const next = await planStage(stageOf(neverAsked)).replan(failed);
  return next === null ? [] : [next.turn];
}

/** Another revision of a request, approved. */
async function approvedAgain(requestId: string, number: number): Promise<void> {
  const { bytes, digest } = seal(sealedOf(requestId, slaPlan(), { number }));
  const about = { teamId: TEAM, requestId, number, digest };
  const open = {
    createdAt: minutes(1),
    expiresAt: minutes(30),
    actor: REQUESTER,
    authors: [],
    targets: [],
    nudgeAt: null,
    origin: {},
  };
  await propose(store.db(), { ...about, ...open, bytes, cause: `again:${number}` });
  const yes = { to: 'approved', by: APPROVER, reason: null, now: minutes(2) } as const;
  await decide(store.db(), { ...about, ...yes, runId: `run-${requestId}-${number}` });
}

test('a failed run leads to a card for the rest, which leaves the approved one alone', async () => {
  await approvedRun(store.db(), 'once', slaPlan());
  const turns = await turnsAfter(failedRun('once', 'vendor_down'));
  expect(turns).toMatchObject([
    { actor: 'system', replaces: false, failed: { number: 1 }, basedOn: { sealed: { number: 1 } } },
  ]);
});

test('stopped, hopeless and dry runs are not planned again', async () => {
  await approvedRun(store.db(), 'never', slaPlan());
  for (const code of ['kill_switch', 'cancelled', 'over_cap', 'digest_mismatch', 'no_grant', 'is_over']) {
    expect(await turnsAfter(failedRun('never', code))).toEqual([]);
  }
  expect(await turnsAfter(failedRun('never', 'vendor_down', { outcome: 'cancelled' }))).toEqual([]);
  expect(await turnsAfter(failedRun('never', 'vendor_down', { mode: 'dry_run' }))).toEqual([]);
});

test('each run is planned again once, and after the third a person has to look', async () => {
  await approvedRun(store.db(), 'often', slaPlan());
  await approvedAgain('often', 2);
  // Reported twice, as after a restart.
  expect(await turnsAfter(failedRun('often', 'vendor_down'))).toEqual([]);
  expect(await turnsAfter(failedRun('often', 'vendor_down', { number: 2 }))).toHaveLength(1);
  await approvedAgain('often', 3);
  expect(await turnsAfter(failedRun('often', 'vendor_down', { number: 3 }))).toEqual([]);
});

test('the planner sees a write in doubt as done, so that nothing repeats it', async () => {
  const asked: PlanningInput[] = [];
  const refusal = { kind: 'refuse', reason: 'no_tool', explanation: 'nothing is left' } as const;
  const planner: Planner = {
    plan: async (input) => {
      asked.push(input);
      return { answer: refusal, planner: 'model', confidence: 1, notes: [], usage: null };
    },
  };
  const request = await givenRequest(store.db(), 'doubt');
  const failed = failedRun('doubt', 'timeout', { outcome: 'unknown' });
  const results: StepResult[] = failed.results.map((one) =>
    one.stepId === 'page' ? { ...one, status: 'unknown' } : one,
  );
  const turn = { ...firstTurn('system', 'doubt'), failed: { ...failed, results }, replaces: false };
  await planStage(stageOf(planner)).make(request, turn);
  expect(asked[0]?.replan).toMatchObject({ done: ['count', 'sla', 'page'], failed: [] });
});
