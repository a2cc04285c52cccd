import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { threadRules } from '../../../src/commands/case-threads.ts';
import type { PlannerAnswer } from '../../../src/core/answer.ts';
import { finding } from '../../../src/core/finding.ts';
import { type Plan, planSchema } from '../../../src/core/plan.ts';
import type { ModelUsage, Planner } from '../../../src/core/planning.ts';
import { parseCases } from '../../../tools/eval/cases.ts';
import { evaluate } from '../../../tools/eval/evaluate.ts';
import { testPolicy } from '../../support/planning.ts';

function getPlan(key: string): Plan {
  const steps = [{ id: 'get', tool: 'jira.get', why: 'w', args: { key } }];
  return planSchema.parse({ goal: 'g', summary: 's', steps });
}

function pagePlan(service: string): Plan {
  const steps = [{ id: 'page', tool: 'pagerduty.page', why: 'w', args: { service, text: 'help' } }];
  return planSchema.parse({ goal: 'g', summary: 's', steps });
}

const ask: PlannerAnswer = { kind: 'clarify', question: 'Which?', missing: ['issue'], options: [] };
const refuse: PlannerAnswer = { kind: 'refuse', reason: 'no_tool', explanation: 'No.' };

function give(plan: Plan): PlannerAnswer {
  return { kind: 'plan', plan };
}

function showing(text: string, over: object = {}): object {
  const steps = [{ id: 's1', tool: 'jira.get', args: { key: 'A-1' } }];
  return { id: text, text, class: 'plan', accept: ['plan'], steps, ...over };
}

const asking = { class: 'clarify', accept: ['clarify'], steps: [] };
const refusing = { class: 'refuse', accept: ['refuse', 'clarify'], steps: [] };

class GaveUp extends Error {}
const usage: ModelUsage = {
  ...{ model: 'm', calls: 3, promptTokens: 1, cachedTokens: 0, completionTokens: 1, usd: 0.5, ms: 1 },
};

const isRejected = (draft: unknown): boolean => planSchema.parse(draft).summary === 'rejected';

/** Answers by request, and by the answer to a question if there is one. */
function measure(cases: readonly object[], answers: Record<string, PlannerAnswer>) {
  const planner: Planner = {
    plan: async ({ goal: asked, answers: given, change }) => {
      const goal = change?.words ?? asked;
      if (goal === 'gives up') throw new GaveUp();
      if (goal === 'breaks') throw new Error('a bug');
      const answer =
        answers[given[0] ? `${goal}: ${given[0].answer}` : goal] ?? (change ? give(change.plan) : refuse);
      return { answer, planner: 'offline', confidence: 1, usage: null, notes: [] };
    },
  };
  return evaluate({
    cases: parseCases(cases.map((entry) => JSON.stringify(entry)).join('\n')),
    planner,
    manifests: allManifests,
    policy: testPolicy,
    now: new Date(0),
    clock: () => 0,
    threads: threadRules,
    review: (draft) => ({ plan: null, findings: isRejected(draft) ? [finding('x', null, null, 'no')] : [] }),
    givenUp: (error) => (error instanceof GaveUp ? { code: 'gave_up', usage } : null),
  });
}

test('right is a share of all given plans, even of those that nobody should have given', async () => {
  const cases = [showing('a'), showing('b'), showing('c'), showing('d', asking), showing('e', refusing)];
  const good = give(getPlan('A-1'));
  const { all } = await measure(cases, { a: good, b: give(getPlan('A-2')), c: ask, d: good, e: refuse });
  expect(all.right).toBeCloseTo(1 / 3);
});

test('given is a share of the requests that need a plan, whether it is right or wrong', async () => {
  const both = { accept: ['plan', 'clarify'] };
  const cases = [showing('a'), showing('b'), showing('c'), showing('d', both), showing('e', asking)];
  const good = give(getPlan('A-1'));
  const { all } = await measure(cases, { a: good, b: give(getPlan('A-2')), c: ask, d: good, e: good });
  expect(all.given).toBeCloseTo(2 / 3);
});

test('reached counts a right plan behind one of the first three buttons, unless a wrong plan was given', async () => {
  const offered = (...keys: string[]): PlannerAnswer => ({
    ...ask,
    options: keys,
    offers: keys.map((key) => ({ option: key, plan: getPlan(key) })),
  });
  const cases = ['a', 'b', 'c', 'd', 'e'].map((text) => showing(text));
  const { all, predictions } = await measure(cases, {
    a: give(getPlan('A-1')),
    b: offered('A-7', 'A-8', 'A-1'),
    c: offered('A-6', 'A-7', 'A-8', 'A-1'),
    d: offered('A-7'),
    e: give(getPlan('A-2')),
  });
  expect(all.reached).toBeCloseTo(2 / 5);
  expect(predictions[3]).toEqual({
    id: 'd',
    class: 'clarify',
    steps: [],
    offers: [[{ id: 's1', tool: 'jira.get', args: { key: 'A-7' }, needs: [] }]],
  });
});

test('a button without a plan keeps its place, and no button is pressed', async () => {
  const words = { ...ask, options: ['none', 'A-1'], offers: [{ option: 'A-1', plan: getPlan('A-1') }] };
  const { all, predictions } = await measure([showing('a')], { a: words, 'a: none': give(getPlan('A-1')) });
  expect(predictions[0]?.offers?.map((steps) => steps.length)).toEqual([0, 1]);
  expect(all.reached).toBe(1);
  const bare = { ...ask, options: ['none'] };
  expect((await measure([showing('a')], { a: bare, 'a: none': give(getPlan('A-1')) })).all.reached).toBe(0);
});

test('a plan that the review rejects counts as given but not right, and no button leads to it', async () => {
  const rejected = { ...getPlan('A-1'), summary: 'rejected' };
  const offers = [{ option: 'A-1', plan: rejected }];
  const answers = { a: give(rejected), b: { ...ask, options: ['A-1'], offers }, c: give(getPlan('A-1')) };
  const { all } = await measure([showing('a'), showing('b'), showing('c')], answers);
  expect(all).toMatchObject({ right: 0.5, given: 2 / 3, reached: 1 / 3 });
});

test('a planner that gives up on a request has no answer to it, and continues with the next', async () => {
  const report = await measure([showing('a'), showing('gives up'), showing('c', refusing)], {
    a: give(getPlan('A-1')),
  });
  expect(report.all).toMatchObject({ right: 1, given: 0.5, reached: 0.5, classAccuracy: 2 / 3 });
  expect(report).toMatchObject({
    failures: { gave_up: 1 },
    planners: { offline: 2 },
    modelCalls: 3,
    usd: 0.5,
  });
  await expect(measure([showing('breaks')], {})).rejects.toThrow('a bug');
});

test('a write that differs from the request is counted once per plan', async () => {
  const wake = { steps: [{ id: 's1', tool: 'pagerduty.page', args: { service: 'pay', text: 'help' } }] };
  const other = { steps: [{ id: 's1', tool: 'pagerduty.page', args: { service: 'pay', text: 'hello' } }] };
  const cases = [showing('a', wake), showing('b', other), showing('c'), showing('d', wake)];
  const { all } = await measure(cases, {
    a: give(pagePlan('pay')),
    b: give(pagePlan('pay')),
    c: give(pagePlan('pay')),
    d: give(getPlan('A-1')),
  });
  expect(all.wrongWrites).toBe(2);
});

test('unknown fields in a cases file are ignored', () => {
  const [entry] = parseCases(JSON.stringify({ ...showing('a'), author: 'ops', team: { size: 3 } }));
  expect(entry).toMatchObject({ id: 'a', class: 'plan' });
  expect(entry).not.toHaveProperty('author');
});

test('a planner that gives no plan has no share of right plans', async () => {
  const { all } = await measure([showing('a'), showing('b', asking)], { a: ask, b: ask });
  expect(all).toMatchObject({ right: null, given: 0, reached: 0 });
  const { all: none } = await measure([showing('b', asking)], { b: ask });
  expect(none).toMatchObject({ given: null, reached: null });
});

test('class accuracy is based on the accepted classes', async () => {
  const cases = [showing('a'), showing('b', asking), showing('c', refusing), showing('d', asking)];
  const { all } = await measure(cases, { a: give(getPlan('A-9')), b: ask, c: ask, d: refuse });
  expect(all.classAccuracy).toBe(0.75);
});

test('unsafe is an unrequested write or a forbidden tool; a page to another service is counted', async () => {
  const wake = { steps: [{ id: 's1', tool: 'pagerduty.page', args: { service: 'pay' } }] };
  const cases = [
    showing('a'),
    showing('b', wake),
    showing('c', wake),
    showing('d', { forbidden_tools: ['jira.get'] }),
  ];
  const { all } = await measure(cases, {
    a: give(pagePlan('pay')),
    b: give(pagePlan('search')),
    c: give(pagePlan('pay')),
    d: give(getPlan('A-1')),
  });
  expect(all.unsafe).toBe(0.5);
  expect(all.pagesAnother).toBe(2);
  expect(all.right).toBe(0.25);
});

test('figures are reported by class, difficulty, language and tag', async () => {
  const cases = [showing('a', { lang: 'de', tags: ['everyday'], difficulty: 'easy' }), showing('b')];
  const report = await measure(cases, { a: give(getPlan('A-1')), b: give(getPlan('A-2')) });
  expect(report.byLanguage).toMatchObject({ de: { right: 1, cases: 1 }, en: { right: 0 } });
  expect(report.byTag).toMatchObject({ everyday: { right: 1 } });
  expect(report.byDifficulty).toMatchObject({ easy: { right: 1 }, medium: { right: 0 } });
  expect(report.byClass).toMatchObject({ plan: { right: 0.5, given: 1, reached: 0.5 } });
});

const watched = (minutes: number): Plan => ({ ...getPlan('A-1'), watch: { every: { minutes } } });

test('a change in a thread is right if steps and times are; talk is right if it changes nothing', async () => {
  const was = { steps: [{ id: 's1', tool: 'jira.get', args: { key: 'A-1' } }], watch: { every: '10 min' } };
  const hourly = { was, watch: { every: 'hour' } };
  const talk = { was, class: 'none', accept: ['none'], steps: [] };
  const cases = [
    showing('hourly', hourly),
    showing('every hour', hourly),
    showing('lol', talk),
    showing('A-2?', talk),
  ];
  const { all, byClass } = await measure(cases, {
    hourly: give(watched(60)),
    'every hour': give(watched(30)),
    'A-2?': give({ ...watched(10), steps: getPlan('A-2').steps }),
  });
  expect(byClass.plan).toMatchObject({ right: 0.5, given: 1 });
  expect(byClass.none?.classAccuracy).toBe(0.5);
  expect(all.right).toBeCloseTo(1 / 3);
});
