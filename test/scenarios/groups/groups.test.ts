/** Why: “who has how many” and “since when” are asked in one sentence, and a wrong group is worse than none. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { databaseServer: inject('postgresUrl') } });
});
afterAll(() => finish(workspace));

const says = (words: string | RegExp) =>
  workspace.until(() => new RegExp(words).test(workspace.transcript()), `the words ${words}`);

const store = () => workspace.sandbox.jira.store;

test('tickets are counted by assignee, with shares and those that nobody has', async () => {
  const of = (name: string) => store().users.find(({ displayName }) => displayName === name) ?? null;
  const made = [of('Ben Okafor'), of('Ben Okafor'), of('Ben Okafor'), null];
  for (const assignee of made)
    store().create({ project: 'WEB', summary: 'groupable', reporter: store().bot, assignee });
  await workspace.plan('ben', 'jira.count project=WEB text=groupable by=assignee');
  await says(/4 tickets in WEB about “groupable” by assignee: Ben Okafor 3 \(75 %\), nobody 1 \(25 %\)/);
  await says(/assignee tickets share Ben Okafor 3 75 % nobody 1 25 %/);
});

test('words after the question say what to group by', async () => {
  await workspace.plan('ben', 'how many open tickets in OPS by priority');
  await says(/\d+ open tickets in OPS by priority: P1 \d+ \(\d+ %\)/);
  await workspace.plan('ben', 'errors of checkout by host');
  await says(/Splunk: 230 errors of checkout in the last hour by host: checkout-\d \d+ \(\d+ %\)/);
  await workspace.plan('ben', 'deploys of checkout by person');
  await says(/Deploys of checkout in the last day: 1 by person: dev 1 \(100 %\)/);
});

test('incidents are counted by service, urgency and day', async () => {
  const { store: pagerduty } = workspace.sandbox.pagerduty;
  const open = (service: string, urgency: 'high' | 'low') =>
    pagerduty.create({ service, title: 'Groupable', urgency, incidentKey: `${service}${urgency}`, by: null });
  open('PSOPS01', 'high');
  open('PSOPS01', 'low');
  open('PSPAY01', 'high');
  await workspace.plan('ben', 'incidents by service this week');
  await says(/\d PagerDuty incidents this week by service: ops 2 \(\d+ %\), .*payments-api 1 \(\d+ %\)/);
  await says(/service incidents share ops 2 \d+ %/);
  await workspace.plan('ben', 'how many open incidents by urgency');
  await says(/\d open PagerDuty incidents by urgency: high \d \(\d+ %\), low \d \(\d+ %\)/);
  await workspace.plan('ben', 'pages per day this week');
  await says(/\d PagerDuty incidents this week per day\./);
  await says(/day incidents share (\d{4}-\d\d-\d\d \d \d+ % )+/);
});

test('“per hour” asks for each hour, and says those without any', async () => {
  workspace.sandbox.journal.clear();
  await workspace.plan('ben', 'errors of checkout per hour in the last 3 hours');
  await says(/Splunk: 23\d errors of checkout in the last 3 hours per hour/);
  await says(/hour entries share \d{4}-\d\d-\d\d \d\d:00 \d/);
  const asked = workspace.sandbox.journal.list({ vendor: 'splunk' }).length;
  expect(asked).toBeGreaterThanOrEqual(4);
  expect(asked).toBeLessThanOrEqual(5);
});

test('a question that cannot be grouped so is refused with what it can be grouped by', async () => {
  await workspace.plan('ben', 'failed orders by country');
  await workspace.whisper(
    'ben',
    /The database can’t group this by country. It can be grouped by hour, day, week/,
  );
  await workspace.plan('ben', 'open incidents of checkout by host');
  await workspace.whisper(
    'ben',
    /PagerDuty can’t group this by host. It can be grouped by service, urgency, status, hour, day, week/,
  );
  await workspace.plan('ben', 'logs.spl named=entries service=checkout about=pool by=host');
  await says(/The query entries cannot be grouped by host. It can be by hour, day, week/);
  await workspace.plan('ben', 'logs.spl named=errors service=checkout window=3d by=hour');
  await says(/There are more than 31 hours in that time. Narrow it/);
});

test('the same number for two times is said side by side', async () => {
  await workspace.plan(
    'ben',
    'a = logs.spl named=errors service=checkout since=today; b = logs.spl named=errors service=checkout during=yesterday',
  );
  await says(/^U0COUNTER: Errors of checkout: \d+ today, \d+ yesterday\./m);
});
