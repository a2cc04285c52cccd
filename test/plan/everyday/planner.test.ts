/** Why: a plan that sounds plausible and is wrong is the worst answer there is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { openCatalogue } from '../../../src/core/catalogue.ts';
import type { Plan } from '../../../src/core/plan.ts';
import { everydayPlanner as planner } from '../../support/everyday.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const catalogue = testCatalogue();

async function answerTo(goal: string, over: Parameters<typeof planningInput>[1] = {}) {
  return (await planner.plan(planningInput(goal, { catalogue, ...over }))).answer;
}

async function planFor(goal: string, over: Parameters<typeof planningInput>[1] = {}): Promise<Plan> {
  const answer = await answerTo(goal, over);
  if (answer.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(answer)}`);
  return answer.plan;
}

const toolsOf = ({ steps }: Plan): string[] => steps.map(({ tool }) => tool);

test.each([
  ['how many open P1 in OPS', ['jira.count']],
  ['who is on call for ops', ['pagerduty.oncall']],
  ['what does PAY-E-2201 mean', ['errors.lookup']],
  ['any open incidents on payments-api?', ['pagerduty.incidents']],
  ['show OPS-12', ['jira.get']],
  ['runbook for redis failover', ['runbook.search']],
  ['ack 40012', ['pagerduty.ack']],
  ['if OPS has more than 5 open P1s page ops', ['jira.count', 'pagerduty.page']],
])('plans from words: %s', async (goal, tools) => {
  expect(toolsOf(await planFor(goal))).toEqual(tools);
});

test.each([
  [
    'Check open P1 tickets in OPS against the SLA and page on-call if breached',
    [
      'Check open P1 tickets in OPS against the SLA',
      'Check open P1 tickets in OPS against the SLA',
      'page on-call if breached',
    ],
  ],
  [
    'open a P2 bug in PAY titled "cart total, wrong", then page payments-api about it',
    ['open a P2 bug in PAY titled "cart total, wrong"', 'page payments-api about it'],
  ],
  // A piece that is only part of a list is no reason of its own.
  [
    'how many open P1 tickets in OPS and PAY',
    ['how many open P1 tickets in OPS and PAY', 'how many open P1 tickets in OPS and PAY'],
  ],
])('each step has the words that asked for it as its reason: %s', async (goal, reasons) => {
  expect((await planFor(goal)).steps.map(({ why }) => why)).toEqual(reasons);
});

test('a forbidden action is never a step, whatever else is asked', async () => {
  for (const goal of [
    'how many open P1s in OPS? no need to page ops',
    "count the open P1s of OPS, don't page anybody",
    'just the open incidents of ops, do not acknowledge them',
  ]) {
    const answer = await answerTo(goal);
    const plans =
      answer.kind === 'plan'
        ? [answer.plan]
        : answer.kind === 'clarify'
          ? (answer.offers ?? []).map(({ plan }) => plan)
          : [];
    for (const plan of plans) expect(toolsOf(plan).join(), goal).not.toMatch(/\.page|\.ack/);
  }
});

test.each([
  ['how many tickets in PAY and OPS are still open, not counting the ones labelled wontfix', 'label_not'],
  ['open P2 in OPS and PAY', 'priority'],
])('a filter said of two projects at once holds in both: %s', async (goal, filter) => {
  const { steps } = await planFor(goal);
  expect(steps.map(({ args }) => args.project).sort()).toEqual(['OPS', 'PAY']);
  expect(new Set(steps.map(({ args }) => args[filter])).size).toBe(1);
  expect(steps[0]?.args[filter]).toBeDefined();
});

test('a filter said of one project alone stays with it', async () => {
  const { steps } = await planFor('P1 in OPS and bugs in PAY');
  expect(steps.map(({ args: { priority, type } }) => [priority, type])).toEqual([
    ['P1', undefined],
    [undefined, 'bug'],
  ]);
});

test.each([
  'how many tickets in PAY and OPS are still open except bugs',
  'combien de tickets ouverts dans PAY, sans ceux de @ben',
])('what is to be left out is not what is looked for: %s', async (goal) => {
  const answer = await answerTo(goal);
  const offers = answer.kind === 'clarify' ? (answer.offers ?? []) : [];
  const plans = answer.kind === 'plan' ? [answer.plan] : offers.map(({ plan }) => plan);
  for (const { steps } of plans)
    for (const { args } of steps) expect([args.type, args.assignee]).toEqual([undefined, undefined]);
});

test('a share of nothing is not compared with a count', async () => {
  const answer = await answerTo(
    'page payments-api if errors of payments-api are above 5% in the last 10 min',
  );
  if (answer.kind !== 'clarify') throw new Error(JSON.stringify(answer));
  expect(answer.question).toMatch(/not sure about “5%”/);
  for (const { plan } of answer.offers ?? []) expect(toolsOf(plan)).not.toContain('pagerduty.page');
});

test('low urgency may be said in other words', async () => {
  const { steps } = await planFor('not urgent, but please page ops "the replica is behind"');
  expect(steps.map(({ args }) => args)).toEqual([
    { service: 'ops', urgency: 'low', text: 'the replica is behind' },
  ]);
});

test('a question whether something is over pages nobody', async () => {
  const answer = await answerTo('is payments-api still broken or can i go back to bed');
  expect(answer.kind).toBe('clarify');
});

test.each([
  'create an incident channel',
  'set up an incident channel for payments-api',
  'how many pages did ana get this week',
  'who changed what in payments-api today',
  'restart payments-api',
  'roll back payments-api',
])('a noun without a tool is not planned with a similar one: %s', async (goal) => {
  expect((await answerTo(goal)).kind).not.toBe('plan');
});

test.each(['ack one', 'resolve one'])('a number in words names no incident: %s', async (goal) => {
  expect(await answerTo(goal)).toMatchObject({ kind: 'clarify' });
});

test.each([
  ['Quem está de plantão no payments-api?', 'pagerduty.oncall'],
  ['comenta "corrigido na 5.2" no OPS-3', 'jira.comment'],
])('“no” in front of a name that the plan has denies nothing: %s', async (goal, tool) => {
  expect(toolsOf(await planFor(goal))).toEqual([tool]);
});

test('offers no plan that does the opposite of "zero"', async () => {
  const answer = await answerTo('zero errors of ops in splunk in the last hour? page ops');
  if (answer.kind !== 'clarify') throw new Error(JSON.stringify(answer));
  expect(answer.options.join('\n')).not.toMatch(/if there are/);
});

test('a missing detail is asked for, and each suggested name is a button with a complete plan', async () => {
  const answer = await answerTo('page somebody about the slow exports', {
    catalogue: testCatalogue({ defaults: {} }),
  });
  if (answer.kind !== 'clarify') throw new Error(JSON.stringify(answer));
  expect(answer.missing[0]).toBe('service');
  expect(answer.offers?.map(({ option, plan }) => [option, plan.steps[0]?.args.service])).toEqual(
    answer.options.map((option) => [option, option]),
  );
});

test('an unknown name is asked about, with the nearest known ones', async () => {
  const answer = await answerTo('page paymentz-api: carts are stuck');
  expect(answer).toMatchObject({ kind: 'clarify', missing: ['service'] });
  expect(answer.kind === 'clarify' && answer.options[0]).toBe('payments-api');
});

test('the words of a plan that a person approved plan the same again, with other names and numbers', async () => {
  const goal = 'flurb PAY over 5 then';
  const plan = await planFor('if PAY has more than 5 open P1s page ops');
  const remembered = [{ goal, plan }];
  const again = await planFor('flurb OPS over 12 then', { remembered });
  expect(again.steps[0]?.args.project).toBe('OPS');
  expect(again.steps[1]?.args.service).toBe('ops');
  expect(again.steps[1]?.when).toMatch(/> 12$/);
  expect(JSON.stringify(again.steps)).not.toContain('PAY');
  expect(JSON.stringify(again.steps)).toContain('Open P1 tickets in OPS');
  expect((await answerTo('flurb PAY over 12', { remembered })).kind).not.toBe('plan');
});

test('the same request gets the same answer', async () => {
  for (const goal of ['page ops if PAY has more than 3 open P1s', 'tell the team']) {
    expect(await answerTo(goal)).toEqual(await answerTo(goal));
  }
});

test('any text gets an answer, and a plan uses only names from the request', async () => {
  const open = openCatalogue(allManifests);
  const word = fc.constantFrom(
    ...'page ops if more than 5 open P1s in OPS tell #ops PAY-3 "x y" not unless 1182 yesterday'.split(' '),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (goal) => {
      const answer = await answerTo(goal, { catalogue: open });
      if (answer.kind !== 'plan') return;
      for (const { args } of answer.plan.steps)
        for (const name of ['service', 'project', 'channel', 'key'])
          if (typeof args[name] === 'string')
            expect(goal.toLowerCase()).toContain(String(args[name]).replace(/^#/, '').toLowerCase());
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['10,000 characters', 'page ops '.repeat(1_200)],
  ['control characters', 'page\u0000 ops\u0007\u202e now'],
  ['another script', 'サービスを再起動してください。至急。'],
  ['code', 'for (const x of y) { z(x); } // page ops'],
])('%s never lead to an unrequested page', async (_what, goal) => {
  const answer = await answerTo(goal);
  expect(['clarify', 'refuse', 'plan']).toContain(answer.kind);
  if (answer.kind === 'plan') expect(toolsOf(answer.plan)).toEqual(['pagerduty.page']);
});

test.each([
  ['count P1 tickets in OPS', 'P2, not P1', { priority: 'P2', project: 'OPS' }],
  ['count P1 tickets in OPS', 'not OPS but PAY', { project: 'PAY', priority: 'P1' }],
  ['tell #ops "all good"', 'say "mitigated" instead', { text: 'mitigated', channel: '#ops' }],
])('a change may name what it replaces: %s — %s', async (goal, words, args) => {
  const plan = await planFor(goal);
  const changed = await planFor(plan.goal, { change: { plan, words } });
  expect(changed.steps.map((step) => step.args)).toEqual([expect.objectContaining(args)]);
});

test('a change that keeps what it denies is asked about', async () => {
  const plan = await planFor('tell #ops "all good"');
  const answer = await answerTo(plan.goal, { change: { plan, words: 'say "mitigated", not to #ops' } });
  expect(answer.kind).not.toBe('plan');
});

test('a watch that the planner is not sure of is asked about, like a write', async () => {
  const answer = await answerTo('monitor open P1 tickets in OPS every hour');
  expect(answer.kind).not.toBe('plan');
});
