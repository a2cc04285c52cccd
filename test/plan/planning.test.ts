import { expect, test } from 'vitest';
import type { Planner } from '../../src/core/planning.ts';
import { firstTurn } from '../../src/core/planning-turn.ts';
import { type PlanPort, planRequest } from '../../src/plan/planning.ts';
import { everydayPlanner } from '../support/everyday.ts';
import { testCatalogue, testPolicy } from '../support/planning.ts';

/** Plans a goal for the only person on call for some services; returns the on-call look-ups as well. */
async function planFor(goal: string, services: readonly string[], over: Partial<PlanPort> = {}) {
  const asked: string[] = [];
  const planner = everydayPlanner;
  const port: PlanPort = {
    ...{ planner, offline: planner, catalogue: testCatalogue(), policy: testPolicy },
    conversation: () => Promise.resolve({ answers: [], filled: null }),
    record: () => Promise.resolve(),
    aboutThread: () => Promise.resolve({}),
    remembered: () => Promise.resolve([]),
    servicesOf(userId) {
      asked.push(userId);
      return Promise.resolve(services);
    },
    zoneOf: () => Promise.resolve(null),
    now: () => new Date('2026-03-02T03:00:00Z'),
    ...over,
  };
  const place = { teamId: 'T0', id: 'r1', channel: 'C0OPS', threadTs: null, quoted: null } as const;
  const request = { ...place, goal, via: 'command', requester: 'U0EVA', createdAt: port.now() } as const;
  const { answer } = await planRequest(request, firstTurn('U0EVA', 'test'), port);
  return { answer, asked };
}

test('on-call is looked up only for a person who wants to be paged, and decides the service', async () => {
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

test.each([
  'errors of search per minute',
  'errors of search per hour today',
  'show me the errors of search by day',
])('one number for each of several times is refused, not answered for another time: %s', async (goal) => {
  const { answer } = await planFor(goal, []);
  expect(answer).toMatchObject({ kind: 'refuse', explanation: expect.stringMatching(/can’t group/) });
});

test.each([
  'errors of search in the last hour',
  'every hour: if there are more than 5 errors of search, page search',
  'page search: 500 errors per minute',
  'find the runbook for "errors per minute"',
])('a single time, a watch and quoted words are no groups: %s', async (goal) => {
  const { answer } = await planFor(goal, []);
  expect(JSON.stringify(answer)).not.toContain('can’t group');
});

test.each([
  ['run this in splunk: index=edge status=502 | stats count by host', 'query', /stats count by host$/],
  ['top 5 by priority in OPS', 'order', /^priority$/],
])('a pasted query and an order are no groups either: %s', async (goal, arg, value) => {
  const { answer } = await planFor(goal, []);
  expect(answer.kind === 'plan' && answer.plan.steps[0]?.args[arg]).toMatch(value);
});

test('a model that needs to know the requester is asked once more, and both calls are stored', async () => {
  const spent = {
    model: 'm',
    calls: 1,
    promptTokens: 9,
    cachedTokens: 0,
    completionTokens: 9,
    usd: 1,
    ms: 1,
  };
  const known: (readonly string[] | undefined)[] = [];
  const stored: unknown[] = [];
  const planner: Planner = {
    async plan({ onCallFor }) {
      known.push(onCallFor);
      const answer = { kind: 'clarify' as const, question: 'Which?', missing: ['me'], options: [] };
      return { answer, planner: 'model', confidence: 1, usage: { ...spent, usd: known.length }, notes: [] };
    },
  };
  const record: PlanPort['record'] = async (_id, _purpose, usage) => {
    stored.push(usage?.usd);
  };
  await planFor('page me', ['search'], { planner, record });
  expect(known).toEqual([undefined, ['search']]);
  expect(stored).toEqual([1, 2]);
});

test('an answer fills the gap in a plan, unless it says that nothing is wanted any more', async () => {
  const { answer } = await planFor('close OPS-3', []);
  if (answer.kind !== 'plan') throw new Error(answer.kind);
  const filled = { plan: answer.plan, planner: 'offline' as const };
  const after = async (said: string) => {
    const answers = [{ question: 'Root cause?', missing: ['Root cause'], answer: said }];
    return (await planFor('close OPS-3', [], { conversation: () => Promise.resolve({ answers, filled }) }))
      .answer;
  };
  expect(await after('a bad deploy')).toEqual(answer);
  expect(await after('never mind')).toMatchObject({ kind: 'refuse', explanation: 'OK, dropped.' });
});

const madrid = { zoneOf: () => Promise.resolve('Europe/Madrid') };
const stepOf = (args: Record<string, unknown>) => ({
  plan: { steps: [{ args: expect.objectContaining(args) }] },
});

test("a person's times are those of their own zone, which is named where it is not the deployment's", async () => {
  const goal = 'how many open tickets in OPS since 2am';
  const named = stepOf({ since: '02:00 Europe/Madrid' });
  expect((await planFor(goal, [], madrid)).answer).toMatchObject(named);
  const catalogue = testCatalogue({ defaults: { timezone: 'Europe/Paris' } });
  const same = await planFor(goal, [], { ...madrid, catalogue });
  expect(same.answer).toMatchObject(stepOf({ since: '02:00' }));
  const spoken = 'how many P1s are open in OPS? every day at 9am';
  expect((await planFor(spoken, [], madrid)).answer).toMatchObject({
    plan: { watch: { every: { cron: '0 9 * * *', timezone: 'Europe/Madrid' } } },
  });
});

test.each<[string, PlanPort['zoneOf']]>([
  ['fails', () => Promise.reject(new Error('users.info'))],
  ['hangs', () => new Promise(() => undefined)],
])('a plan has the time of the deployment when the look-up of the zone %s', async (_how, zoneOf) => {
  const { answer } = await planFor('how many open tickets in OPS since 2am', [], { zoneOf });
  expect(answer).toMatchObject(stepOf({ since: '02:00' }));
});

test('an operator’s own times in a playbook stay on the clock of the deployment', async () => {
  const planner: Planner = {
    async plan(input) {
      const reply = await everydayPlanner.plan(input);
      return { ...reply, planner: 'playbook' };
    },
  };
  const goal = 'how many open tickets in OPS since 2am';
  const { answer } = await planFor(goal, [], { ...madrid, planner });
  expect(answer).toMatchObject(stepOf({ since: '02:00' }));
});
