import { expect, test } from 'vitest';
import type { PlanningInput } from '../../src/core/planning.ts';
import type { FailedRun, StepResult } from '../../src/core/run.ts';
import { firstTurn } from '../../src/pipeline.ts';
import { createStages } from '../../src/wiring/stages.ts';
import type { World } from '../../src/wiring/world.ts';
import { runCatalogue, runPolicy, slaPlan } from '../support/runs.ts';
import { givenRequest, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

test('a planner hears of a write in doubt as of one that was made, so that nothing repeats it', async () => {
  const asked: PlanningInput[] = [];
  const refusal = { kind: 'refuse', reason: 'no_tool', explanation: 'nothing is left' } as const;
  const world = {
    ...{ db: store.db(), teamId: TEAM, catalogue: runCatalogue, policy: runPolicy, now: () => NOON },
    planner: {
      plan: async (input: PlanningInput) => {
        asked.push(input);
        return { answer: refusal, planner: 'model', confidence: 1, notes: [], usage: null } as const;
      },
    },
  } as Partial<World> as World;
  const request = await givenRequest(store.db(), 'doubt');
  const ended = { attempts: 1, startedAt: NOON.toISOString(), finishedAt: NOON.toISOString() };
  const read = { tool: 'x', status: 'succeeded', reason: null, ...ended } as const;
  const why = { code: 'timeout', message: 'It did not answer.' };
  const results: StepResult[] = [
    { ...read, stepId: 'count', result: { total: 24 } },
    { ...read, stepId: 'sla', result: { max_open: 20 } },
    { ...read, stepId: 'page', status: 'unknown', result: null, reason: why },
  ];
  const failed: FailedRun = {
    ...{ teamId: TEAM, requestId: 'doubt', number: 1, runId: 'run-doubt-1', mode: 'run' },
    ...{ at: NOON.toISOString(), plan: slaPlan(), outcome: 'unknown', results },
  };
  await createStages(world).plan(request, { ...firstTurn('system'), failed, replaces: false });
  expect(asked[0]?.replan).toMatchObject({ done: ['count', 'sla', 'page'], failed: [] });
});
