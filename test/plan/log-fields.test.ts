import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { declareQueries } from '../../src/config/declare-query.ts';
import type { QueryTemplate } from '../../src/core/queries/template.ts';
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
