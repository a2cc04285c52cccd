import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { declareQueries } from '../../src/config/declare-query.ts';
import type { QueryTemplate } from '../../src/core/queries/template.ts';
import { hostIn } from '../../src/plan/log-fields.ts';
import { splText } from '../../src/vendors/splunk/spl.ts';
import { everydayPlanner } from '../support/everyday.ts';
import { planningInput, testCatalogue } from '../support/planning.ts';
import { bound, template } from '../support/queries.ts';

const errors = template(
  'spl',
  'index=shop service={service} level=ERROR',
  { service: 'service' },
  {
    name: 'errors',
    says: ['errors'],
  },
);
const ofHost = template(
  'spl',
  'index=shop service={service} level=ERROR host={host}',
  { service: 'service', host: 'host' },
  { name: 'errors-on-host', says: ['errors'] },
);
const requests = template(
  'spl',
  'index=shop service={service} status>={status_from} status<={status_to}',
  { service: 'service', status: 'status' },
  { name: 'requests', says: ['requests'] },
);

const ofAnyHost = template(
  'spl',
  'index=shop level=ERROR host={host}',
  { host: 'host' },
  { name: 'host-errors', says: ['errors'] },
);

async function answerTo(goal: string, queries: readonly QueryTemplate[]) {
  const manifests = allManifests.map((one) => declareQueries(one, queries));
  const catalogue = testCatalogue({ queries }, manifests);
  return (await everydayPlanner.plan(planningInput(goal, { catalogue }))).answer;
}

test('a status class, a code and a host go to the query that declares their field', async () => {
  const all = [errors, ofHost, requests];
  const step = (args: object) => ({ kind: 'plan', plan: { steps: [{ tool: 'logs.spl', args }] } });
  expect(await answerTo('how many 5xx on search since 2am', all)).toMatchObject(
    step({ named: 'requests', service: 'search', status: '5xx', since: '02:00' }),
  );
  expect(await answerTo('errors of search on web-3.internal in the last hour', all)).toMatchObject(
    step({ named: 'errors-on-host', service: 'search', host: 'web-3.internal', window: 'PT1H' }),
  );
  expect(
    await answerTo('if there are more than 50 5xx on search in the last 5 minutes, page search', all),
  ).toMatchObject({
    plan: { steps: [{ args: { named: 'requests', status: '5xx' } }, { tool: 'pagerduty.page' }] },
  });
});

test('a host without a service goes to a query over all services, or to the service that is asked for', async () => {
  const goal = 'how many errors on web-3.internal in the last hour';
  const asked = { host: 'web-3.internal', window: 'PT1H' };
  const anywhere = { steps: [{ args: { named: 'host-errors', ...asked } }] };
  expect(await answerTo(goal, [errors, ofHost, ofAnyHost])).toMatchObject({ kind: 'plan', plan: anywhere });
  const answer = await answerTo(goal, [errors, ofHost]);
  expect(answer).toMatchObject({ kind: 'clarify', missing: ['service'] });
  const offers = answer.kind === 'clarify' ? (answer.offers ?? []) : [];
  expect(offers.map(({ option }) => option)).toEqual(['ops', 'payments-api', 'search']);
  for (const { option, plan } of offers)
    expect(plan.steps[0]?.args).toMatchObject({ named: 'errors-on-host', service: option, ...asked });
  expect(await answerTo('errors of search on web-3 today', [errors, ofHost])).toMatchObject({
    plan: { steps: [{ args: { named: 'errors-on-host', service: 'search', host: 'web-3' } }] },
  });
});

test('a status class on a host keeps both, or says which of them has no field', async () => {
  const both = template('spl', 'x', { host: 'host', status: 'status' }, { name: 'both', says: ['requests'] });
  expect(await answerTo('5xx on web-3.internal', [requests, both])).toMatchObject({
    plan: { steps: [{ args: { named: 'both', host: 'web-3.internal', status: '5xx' } }] },
  });
  expect(await answerTo('5xx on web-3.internal', [requests, ofHost])).toMatchObject({
    kind: 'clarify',
    question: expect.stringMatching(/“web-3.internal”: no query for it here has a parameter for the host/),
  });
});

test('a host whose name begins like a ticket is a host, and a ticket is none', async () => {
  const projects = [{ key: 'WEB', service: 'search', aliases: [] }];
  const queries = [errors, ofHost];
  const manifests = allManifests.map((one) => declareQueries(one, queries));
  const catalogue = testCatalogue({ queries, projects }, manifests);
  const at = (goal: string) => hostIn(planningInput(goal, { catalogue }))?.value;
  expect(at('errors on web-3.internal')).toBe('web-3.internal');
  expect(at('errors on db-3')).toBe('db-3');
  expect(at('errors on web-3')).toBeUndefined();
});

test('a length of time is no service, and stays the time of the question', async () => {
  const answer = await answerTo('errors in the last hour', [errors]);
  expect(answer).toMatchObject({ kind: 'clarify', question: 'Which service is this about?' });
  const offers = answer.kind === 'clarify' ? (answer.offers ?? []) : [];
  expect(offers.map(({ plan }) => plan.steps[0]?.args.window)).toEqual(['PT1H', 'PT1H', 'PT1H']);
});

test('a value without a field is asked about instead of being dropped or counted by its letters', async () => {
  const why = /no query for it here has a parameter for the (?:status code|host)/;
  expect(await answerTo('how many 5xx on search since 2am', [errors])).toMatchObject({
    kind: 'refuse',
    explanation: expect.stringMatching(why),
  });
  expect(await answerTo('errors of search on web-3.internal in the last hour', [errors])).toMatchObject({
    kind: 'clarify',
    question: expect.stringMatching(why),
    offers: [{ plan: { steps: [{ args: { named: 'errors', service: 'search', window: 'PT1H' } }] } }],
  });
});

test('a host in the text of a page stays there, whatever is looked up beside it', async () => {
  const goal = 'if errors of search are over 50 in the last 5 minutes, page search: web-3.internal is down';
  expect(await answerTo(goal, [errors, ofHost])).toMatchObject({
    plan: { steps: [{ args: { service: 'search' } }, { args: { text: 'web-3.internal is down' } }] },
  });
});

test('a status class in the text of a page stays a text', async () => {
  expect(await answerTo('page search: 5xx on web-3.internal', [errors])).toMatchObject({
    plan: { steps: [{ tool: 'pagerduty.page' }] },
  });
});

test('a status is the span of its codes in the query', () => {
  const asked = (status: string) => splText(bound(requests, { service: 'search', status }));
  expect(asked('5xx')).toBe('search index=shop service="search" status>=500 status<=599');
  expect(asked('503')).toBe('search index=shop service="search" status>=503 status<=503');
});
