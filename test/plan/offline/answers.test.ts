/** Why: a person who was asked types three letters on a phone; what was understood before must not be lost by it. */
import { expect, test } from 'vitest';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue({ defaults: { project: 'OPS', priority: 'P1', service: 'ops' } });

/** Each step of the plan that an answer leads to, or what is said instead. */
async function answered(goal: string, answer: string): Promise<string> {
  const asked = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (asked.kind !== 'clarify') throw new Error(`${goal}: ${asked.kind}`);
  const answers = [{ question: asked.question, missing: asked.missing, answer }];
  const next = (await planner.plan(planningInput(goal, { catalogue, answers }))).answer;
  if (next.kind !== 'plan') return next.kind === 'clarify' ? next.question : next.explanation;
  const steps = next.plan.steps.map(({ tool, args, when }) => {
    if (typeof args.summary === 'string') return `${tool} “${args.summary}”`;
    const aim = args.channel ?? args.user ?? args.incident ?? args.key ?? args.service ?? args.project;
    return [tool, aim, when].filter(Boolean).join(' ');
  });
  return steps.join(', ');
}

test.each([
  ['count tickets in foo', 'i meant PAY', 'jira.count PAY'],
  ['dm frank the P1 list of PAY', 'ana', 'jira.search PAY, slack.post @ana'],
  ['page ops frobnicated', 'about the disk', 'pagerduty.page ops'],
  ['open tickets blorb', 'in PAY', 'jira.search PAY'],
  [
    'if things look bad page ops',
    'more than 5 open P1s in PAY',
    'jira.count PAY, pagerduty.page ops count.total > 5',
  ],
  // A number is kept while what is still missing is asked for.
  ['tell someone if there are lots of open tickets in PAY', '3', 'Which channel or person should get it?'],
  ['resolve', '42', 'pagerduty.resolve 42'],
  ['add a note: restarted the pods', 'ops', 'pagerduty.note ops'],
  ['close the ticket', 'count open P1s in PAY', 'jira.count PAY'],
  ['page foo about the disk', 'i mean ops', 'pagerduty.page ops'],
  // Each thing that an answer names counts; one of two does not answer.
  ['page foo about the disk', 'ops and search', 'pagerduty.page ops, pagerduty.page search'],
  [
    'page foo about the disk',
    'ops or search',
    'I don’t know any service called “foo”. Which one do you mean?',
  ],
  ['close the ticket', 'OPS-3 and PAY-4', 'jira.transition OPS-3, jira.transition PAY-4'],
  ['tell someone that the db is down', '#ops and @ana', 'slack.post #ops, slack.post @ana'],
  ['list high priority tickets in OPS', 'P1 and P2', 'jira.search OPS, jira.search OPS'],
])('%s: “%s”', async (goal, answer, expected) => {
  expect(await answered(goal, answer)).toBe(expected);
});

test('what an answer says as a text is no order, and is not refused as one', async () => {
  expect(await answered('open a bug in PAY', 'refund fails')).toBe('jira.create “refund fails”');
  expect(await answered('open a bug in PAY', 'about the refunds')).toBe('jira.create “the refunds”');
});

test('an answer that is not understood is asked about beside what was', async () => {
  expect(await answered('count tickets in foo', 'the wobbly ones')).toMatch(/“.*foo.*”/u);
});

test('whoever wants nothing any more hears just that', async () => {
  expect(await answered('close the ticket', 'never mind')).toBe('OK, dropped.');
});

test('an answer is no condition unless one was asked for, or it says “if”', async () => {
  const goal = 'page ops: basket broken';
  const after = async (missing: readonly string[], answer: string): Promise<string> => {
    const answers = [{ question: 'What should I do about the rest of the plan?', missing, answer }];
    return JSON.stringify((await planner.plan(planningInput(goal, { catalogue, answers }))).answer);
  };
  for (const missing of [['goal'], ['rest', 'goal']])
    expect(await after(missing, 'try the page again')).not.toContain('if try');
  expect(await after(['rest', 'goal'], 'try the page again')).toMatch(/^{"kind":"clarify"/);
  expect(await after(['rest', 'goal'], 'page search')).toMatch(/^{"kind":"plan".*"service":"search"/);
});

test('what says no number is no bound: it is asked about again', async () => {
  const goal = 'page ops if there are lots of open tickets in PAY';
  for (const said of ['none of these', 'ignore it', 'none'])
    expect(await answered(goal, said)).toBe('How many is “lots”? Just give me a number.');
  expect(await answered(goal, 'any')).toBe('jira.count PAY, pagerduty.page ops count.total > 0');
});

/** A request that asks something, answers to that, and the request that would have said both at once. */
const conversations: readonly (readonly [string, readonly string[], string])[] = [
  [
    'if there are too many open P1s in OPS page ops',
    ['more than 5', '> 5', 'if there are more than 5'],
    'if there are more than 5 open P1s in OPS page ops',
  ],
  [
    'if there are too many open P1s in OPS page ops',
    ['5', '5 or more', 'from 5 on'],
    'if there are at least 5 open P1s in OPS page ops',
  ],
  ['move OPS-9', ['Done', 'to Done', 'move it to Done please'], 'move OPS-9 to Done'],
  [
    'create a bug in PAY',
    ['card errors', 'it is about card errors', 'title: card errors', 'card errors please'],
    'create a bug in PAY "card errors"',
  ],
  ['page ops or search "db down"', ['search', 'not ops, search'], 'page search "db down"'],
  ['page foobar "db down"', ['search', 'page search'], 'page search "db down"'],
  ['post to #ops', ['say the db is down', '"the db is down"'], 'post "the db is down" to #ops'],
  ['close the ticket', ['OPS-9', 'the ticket is OPS-9'], 'close OPS-9'],
];

test.each(conversations.flatMap(([goal, all, like]) => all.map((answer) => [goal, answer, like] as const)))(
  'an answer makes the plan of the request that says both: %s ~ %s',
  async (goal, answer, like) => {
    const stepsOf = async (...input: Parameters<typeof planningInput>) => {
      const { answer: plan } = await planner.plan(planningInput(...input));
      return plan.kind === 'plan'
        ? plan.plan.steps.map(({ tool, args, when }) => ({ tool, args, when }))
        : plan;
    };
    const asked = (await planner.plan(planningInput(goal))).answer;
    if (asked.kind !== 'clarify') throw new Error(goal);
    const { question, missing } = asked;
    expect(await stepsOf(goal, { answers: [{ question, missing, answer }] })).toEqual(await stepsOf(like));
  },
);
