/** Why: a share of another whole, or of another time, looks right and decides about a page. */
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { buildCatalogue, missingSettings } from '../../../src/config/build-catalogue.ts';
import { readEnv } from '../../../src/config/env.ts';
import { operatorSchema } from '../../../src/config/schema.ts';
import type { Plan } from '../../../src/core/plan.ts';
import { print } from '../../../src/notation/print.ts';
import { everydayPlanner as planner } from '../../support/everyday.ts';
import { planningInput } from '../../support/planning.ts';

const sandbox = sandboxConfig() as { readonly queries: readonly object[] };
const requests = {
  ...{ name: 'requests', language: 'spl', says: ['requests'], window: 'P1D' },
  ...{ parameters: { service: { type: 'service' } }, text: 'index=web service={service} | stats count' },
};
const config = operatorSchema.parse({ ...sandbox, queries: [...sandbox.queries, requests] });
const env = readEnv({ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' });
const tools = new Set(allManifests.map(({ name }) => name));
const here = { jira: null, pagerduty: null, splunk: null, azure: null, sql: null };
const missing = { ...missingSettings(env, config), ...here };
const catalogue = buildCatalogue(config, allManifests, tools, missing);

const answerTo = async (goal: string) => (await planner.plan(planningInput(goal, { catalogue }))).answer;

async function planFor(goal: string): Promise<Plan> {
  const answer = await answerTo(goal);
  if (answer.kind !== 'plan') throw new Error(JSON.stringify(answer));
  return answer.plan;
}

/** The steps of a plan as they are printed, without their reasons. */
async function stepsFor(goal: string): Promise<string[]> {
  const lines = print(await planFor(goal), catalogue.manifests).split('\n');
  return lines.filter((line) => /^(?:[a-z_0-9]+ = |when |watch|success|[a-z]+\.[a-z_]+ )/.test(line));
}

const failed = 'query = sql.query window=PT1H named=failed-orders';
const orders = 'query_2 = sql.query window=PT1H named=orders';
const ratio = 'numbers.share part={query.total} whole={query_2.total}';
const sorted = (line: string): string => line.split(' ').toSorted().join(' ');

test.each([
  'failed orders as a share of orders',
  'show me failed orders as a percentage of all orders',
  'what percentage of orders are failed orders?',
  'what share of orders failed',
  'failed orders divided by orders',
  'failed orders als Anteil an orders',
])('a question for a share reads both numbers, of one time: %s', async (goal) => {
  const steps = await stepsFor(goal);
  expect(steps.map(sorted)).toEqual([failed, orders, ratio].map(sorted));
});

test.each([
  ['failed orders today as a share of orders', ['since=today', 'since=today']],
  ['failed orders as a share of orders yesterday', ['during=yesterday', 'during=yesterday']],
  ['failed orders today as a share of orders yesterday', ['since=today', 'during=yesterday']],
])('a time that is said once holds for both: %s', async (goal, times) => {
  const steps = await stepsFor(goal);
  expect(steps.slice(0, 2).map((step) => /(?:since|during)=\w+/.exec(step)?.[0])).toEqual(times);
});

test('the platform, the service and the usual time of both are the same', async () => {
  const steps = await stepsFor('errors of checkout as a share of requests');
  expect(steps.map(sorted)).toEqual(
    [
      'spl = logs.spl service=checkout window=PT1H named=errors',
      'spl_2 = logs.spl service=checkout window=PT1H named=requests',
      'numbers.share part={spl.total} whole={spl_2.total}',
    ].map(sorted),
  );
  expect(await stepsFor('errors as a share of requests of checkout')).toHaveLength(3);
});

test.each([
  ['what share of open tickets in OPS are P1', 'priority=P1', 'status=open'],
  ['P1 tickets in OPS as a share of tickets', 'priority=P1', 'status=open'],
  ['open tickets in OPS as a share of tickets', 'status=open', 'status=all'],
])('tickets are a share of tickets of the same project: %s', async (goal, ofPart, ofWhole) => {
  const [part = '', whole = '', share] = await stepsFor(goal);
  for (const step of [part, whole]) expect(step).toContain('project=OPS');
  expect(part).toContain(ofPart);
  expect(whole).toContain(ofWhole);
  expect(whole).not.toContain('priority');
  expect(share).toBe('numbers.share part={count.total} whole={count_2.total}');
});

test.each([
  ['page ops if failed orders exceed 5 % of orders', '> 5'],
  ['page ops if failed orders are above 2.5% of orders', '> 2.5'],
  ['page ops if more than 5 % of orders are failed orders', '> 5'],
  ['page ops if less than 5 percent of orders failed', '< 5'],
  ['if failed orders as a share of orders are over 5 percent, page ops', '> 5'],
])('a bound in percent is one on the share: %s', async (goal, bound) => {
  const steps = await stepsFor(goal);
  expect(steps).toHaveLength(4);
  expect(steps[2]).toBe(`share = ${ratio}`);
  expect(steps[3]).toContain(
    `when share.percent ${bound}: pagerduty.page service=ops text="The share of failed`,
  );
});

test('a share in a list of tickets that are meant otherwise is one as well', async () => {
  const steps = await stepsFor('page ops if more than 20 % of the P1 tickets in OPS are blocked');
  expect(steps[0]).toContain('status=blocked');
  expect(steps[1]).toContain('status=all');
  expect(steps[3]).toContain('when share.percent > 20: pagerduty.page service=ops');
});

test('a share is posted in words, and watched', async () => {
  expect((await stepsFor('post failed orders as a share of orders to #ops')).at(-1)).toBe(
    'slack.post channel=#ops text={share.words}',
  );
  for (const goal of [
    'tell me when failed orders as a share of orders rise above 5 %',
    'every 10 minutes check failed orders as a share of orders and tell me above 5 %',
  ]) {
    const steps = await stepsFor(goal);
    expect(steps).toContain('watch: every 10m');
    expect(steps).toContain('success: share.percent <= 5');
  }
});

test.each([
  ['errors of checkout as a share of flurbs', 'I can’t count “flurbs”'],
  ['failed orders as a share of orders by country', 'I can’t count “orders by country”'],
  ['page ops if failed orders exceed 5 % of capacity', 'I can’t count “capacity”'],
  ['wake checkout when more than 4% of orders fail', 'I can’t count “fail”'],
  ['errors of checkout as a share of errors', 'Both would be the same number'],
  ['tickets in OPS as a share of all tickets', 'Both would be the same number'],
])('a share whose numbers are not clear is asked about: %s', async (goal, words) => {
  const answer = await answerTo(goal);
  expect(answer).toMatchObject({ kind: 'clarify', question: expect.stringContaining(words) });
});

test('a share in a text that is passed on is text', async () => {
  const answer = await answerTo('tell #ops "failed orders as a share of orders are over 5 %"');
  const plan = answer.kind === 'plan' ? answer.plan : null;
  expect(plan?.steps.map(({ tool }) => tool)).toEqual(['slack.post']);
});
