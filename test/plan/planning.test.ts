import { expect, test } from 'vitest';
import { firstTurn } from '../../src/core/turn.ts';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { type PlanPort, planRequest } from '../../src/plan/planning.ts';
import { testCatalogue, testPolicy } from '../support/planning.ts';

/** Plans a goal for a person who is the only one on call for some services; says how often that was looked up. */
async function planFor(goal: string, services: readonly string[], over: Partial<PlanPort> = {}) {
  const asked: string[] = [];
  const planner = createOfflinePlanner({ playbooks: [] });
  const port: PlanPort = {
    ...{ planner, offline: planner, catalogue: testCatalogue(), policy: testPolicy },
    answersTo: () => Promise.resolve([]),
    filled: () => Promise.resolve(null),
    record: () => Promise.resolve(),
    incidentsOfThread: () => Promise.resolve([]),
    servicesOf(userId) {
      asked.push(userId);
      return Promise.resolve(services);
    },
    now: () => new Date('2026-03-02T03:00:00Z'),
    ...over,
  };
  const place = { teamId: 'T0', id: 'r1', channel: 'C0OPS', threadTs: null, quoted: null } as const;
  const request = { ...place, goal, via: 'command', requester: 'U0EVA', createdAt: port.now() } as const;
  const { answer } = await planRequest(request, firstTurn('U0EVA', 'test'), port);
  return { answer, asked };
}

test('who is on call is looked up only for a person who wants to be paged, and decides which service it is', async () => {
  const goal = 'page me about the full disk';
  expect(await planFor(goal, ['search'])).toMatchObject({
    asked: ['U0EVA'],
    answer: {
      plan: { steps: [{ tool: 'pagerduty.page', args: { service: 'search', text: 'the full disk' } }] },
    },
  });
  expect(await planFor(goal, [])).toMatchObject({ asked: ['U0EVA'], answer: { missing: ['service', 'me'] } });
  expect(await planFor('show me the open P1s in OPS', ['ops'])).toMatchObject({ asked: [] });
});

test('an answer fills what a plan lacks, unless it says that nothing is wanted any more', async () => {
  const { answer } = await planFor('close OPS-3', []);
  if (answer.kind !== 'plan') throw new Error(answer.kind);
  const filled = () => Promise.resolve({ plan: answer.plan, planner: 'offline' as const });
  const after = async (said: string) => {
    const answers = [{ question: 'Root cause?', missing: ['Root cause'], answer: said }];
    return (await planFor('close OPS-3', [], { filled, answersTo: () => Promise.resolve(answers) })).answer;
  };
  expect(await after('a bad deploy')).toEqual(answer);
  expect(await after('never mind')).toMatchObject({ kind: 'refuse', explanation: 'OK, dropped.' });
});
