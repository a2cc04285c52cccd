/** Why: a number of the operator's decides about a page in the words of the person who asks, in its own unit. */
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { buildCatalogue, missingSettings } from '../../../src/config/build-catalogue.ts';
import { readEnv } from '../../../src/config/env.ts';
import { operatorSchema } from '../../../src/config/schema.ts';
import { print } from '../../../src/notation/print.ts';
import { everydayPlanner as planner } from '../../support/everyday.ts';
import { planningInput } from '../../support/planning.ts';

const config = operatorSchema.parse(sandboxConfig());
const secret = 'x'.repeat(10);
const env = readEnv({
  ...{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', PROMETHEUS_URL: 'https://prom.acme.example' },
  ...{ JIRA_HOST: 'https://acme.example', JIRA_EMAIL: 'bot@acme.example', JIRA_API_TOKEN: secret },
  ...{ PAGERDUTY_API_TOKEN: secret, PAGERDUTY_FROM_EMAIL: 'ana@acme.example' },
});
const hands = new Set(allManifests.map(({ name }) => name));
const catalogue = buildCatalogue(config, allManifests, hands, missingSettings(env, config));

async function answerTo(goal: string) {
  return (await planner.plan(planningInput(goal, { catalogue }))).answer;
}

async function notationFor(goal: string): Promise<string> {
  const answer = await answerTo(goal);
  // Where the network is not sure enough, the plan is the first button.
  const plan =
    answer.kind === 'plan' ? answer.plan : answer.kind === 'clarify' ? answer.offers?.[0]?.plan : undefined;
  return plan === undefined ? `${answer.kind}: ${JSON.stringify(answer)}` : print(plan, catalogue.manifests);
}

const latency = 'metrics.query service=checkout named=latency';

test.each([
  ['page ops if the latency of checkout is over 2 s', 'value > 2'],
  ['if the latency of checkout is over 500 ms, page ops', 'value > 0.5'],
  ['page ops if p95 of checkout is above 1.5 seconds', 'value > 1.5'],
  ['page ops if the latency of checkout is over 2 minutes', 'value > 120'],
])('a bound is in the unit of the query: %s', async (goal, bound) => {
  const plan = await notationFor(goal);
  expect(plan).toContain(`query = ${latency}`);
  expect(plan).toContain(`when query.${bound}: pagerduty.page service=ops`);
});

test('a watch reports when the number passes its bound', async () => {
  const plan = await notationFor('tell me when the latency of checkout is over 2 s');
  expect(plan).toContain(latency);
  expect(plan).toContain('success: query.value <= 2');
  expect(
    await notationFor('every 5 minutes check the latency of checkout and page checkout over 2 s'),
  ).toContain('watch: every 5m');
  expect(await answerTo('watch the latency of checkout every 5 minutes')).toMatchObject({ kind: 'clarify' });
});

test.each([
  ['what’s the latency of checkout since 14:00', 'since=14:00'],
  ['latency of checkout until 14:00', 'until=14:00'],
  ['latency of checkout yesterday', 'during=yesterday'],
  ['latency of checkout today', 'since=today'],
  ['latency of checkout in the last 30 minutes', 'window=PT30M'],
])('the time of a question is that of the query: %s', async (goal, time) => {
  expect(await notationFor(goal)).toContain(`metrics.query service=checkout ${time} named=latency`);
});
