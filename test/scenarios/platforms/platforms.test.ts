/** Why: an engineer asks one question in plain words, and every platform with an answer gives it, side by side. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { labelsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { databaseServer: inject('postgresUrl') } });
  // At the start the log systems were asked whether they take their tokens.
  workspace.sandbox.journal.clear();
});
afterAll(() => finish(workspace));

/** Makes a read-only request, and approves it if needed. */
async function ask(goal: string, title: string): Promise<void> {
  await workspace.plan('ben', goal);
  const card = await workspace.card(title);
  if (JSON.stringify(card.blocks).includes('plan.approve'))
    await workspace.click('ana', card, 'plan.approve');
}

const says = (words: string | RegExp) =>
  workspace.until(() => new RegExp(words).test(workspace.transcript()), `the words ${words}`);

test('errors of a service come from both log systems at once, each with its own count', async () => {
  await ask('errors of checkout in the last hour', 'Search Azure logs for errors of checkout');
  await says('PAY-E-2201 +\\d+');
  await says('PAY-E-2201 +checkout-1 +\\d+');
  await says(
    'Azure logs: 230 errors of checkout in the last hour, mostly PAY-E-2201; Splunk: 230 errors of checkout',
  );
  const sent = (vendor: 'azure' | 'splunk') => workspace.sandbox.journal.list({ vendor });
  expect(sent('azure')).toHaveLength(1);
  expect(JSON.stringify(sent('azure')[0]?.body)).toContain('p_service:string = \\"checkout\\"');
  expect(sent('splunk')).toHaveLength(1);
});

test('only a named platform is queried, and its refusal is a failed step', async () => {
  workspace.sandbox.journal.clear();
  await ask(
    'splunk errors of checkout in the last 2 hours',
    'Search Splunk for errors of checkout in the last 2 hours',
  );
  await workspace.until(
    () => workspace.sandbox.journal.list({ vendor: 'splunk' }).length === 1,
    'one search',
  );
  expect(workspace.sandbox.journal.list({ vendor: 'azure' })).toEqual([]);
  workspace.sandbox.faults.add({
    vendor: 'azure',
    kind: 'status',
    status: 400,
    body: {
      error: {
        code: 'BadArgumentError',
        message: 'bad',
        innererror: { code: 'SyntaxError', message: "Query could not be parsed at 'x'" },
      },
    },
  });
  await ask('logs.kql named=errors service=checkout window=PT3H', 'in the last 3 hours');
  await says("Azure Monitor did not accept the request \\(HTTP 400\\): Query could not be parsed at 'x'");
  workspace.sandbox.faults.clear();
});

test('a vetted SQL question is answered by the database with its number', async () => {
  await ask('how many failed orders in the last hour', 'failed orders in the last hour');
  await says('Failed orders in the last hour: 21');
  await ask('show waiting carts', 'waiting carts');
  await says('Waiting carts: 137');
  await ask('deploys of checkout', 'deploys of checkout');
  await says('Deploys of checkout in the last day: 1');
});

test('an answer shows the value that a query takes by itself, and the zone of a time', async () => {
  await ask('top errors', 'Azure logs: 230 errors in the last hour');
  await says(
    /Azure logs: 230 errors in the last hour, mostly PAY-E-2201 \(assumed: service checkout\); Splunk: 230 errors in the last hour, mostly PAY-E-2201 \(assumed: service checkout\)/,
  );
  await ask('logs.kql named=errors since=00:01', 'since 00:01');
  await says(/since 00:01, mostly PAY-E-2201 \(assumed: service checkout, times in UTC\)/);
  await ask('logs.kql named=errors service=checkout', 'errors of checkout');
  await says(/errors of checkout in the last hour, mostly PAY-E-2201[^(]*Read/);
});

test("a question's times are on the clock of the person who asks, which the answer names", async () => {
  workspace.sandbox.journal.clear();
  await workspace.plan('dev', 'errors of checkout since 00:01');
  await says(/errors of checkout since 00:01 \(Asia\/Kolkata\), mostly/);
  const [, from] = /"earliest_time":"(\d+)"/.exec(JSON.stringify(workspace.sandbox.journal.list())) ?? [];
  expect(new Date(Number(from) * 1_000).toISOString()).toContain('T18:31');
});

test('a vetted query that lacks its service asks which of those it is about', async () => {
  await workspace.plan('ben', 'the last deploy?');
  const question = await workspace.card('Which service is this about?');
  expect(labelsOf(question.blocks)).toEqual(['checkout', 'payments-api']);
});

test('pasted SQL is not run unless it is allowed', async () => {
  await workspace.plan('ben', 'sql.query query="select * from orders; drop table orders"');
  await workspace.whisper('ben', /pasted_queries in countersign\.yml does not list sql/);
});

test('hostile text in a log line is inert, and personal data is masked', async () => {
  await ask(
    'logs.spl named=entries service=checkout about="coupon"',
    'Search Splunk for entries of checkout with “coupon”',
  );
  await says('bad coupon');
  const everything = JSON.stringify(workspace.messages());
  expect(everything).not.toMatch(/"type":"(broadcast|usergroup)"|"url":"https:\/\/evil/);
  expect(everything).not.toContain('mia@customer.example');
  expect(everything).toContain('[e-mail]');
  for (const { text } of workspace.messages()) expect(text).not.toMatch(/<!channel>/);
  await workspace.plan('ben', 'logs.spl named=entries service=checkout about="x* | delete"');
});

test('a search that found nothing is posted as what was looked for, where, and over which time', async () => {
  for (const [search, said] of [
    [
      'logs.kql service=payments-api about=qqq window=PT1H',
      'Azure logs: 0 entries of payments-api with “qqq” in the last hour',
    ],
    [
      'logs.spl service=checkout about=qqq window=PT2H',
      'Splunk: 0 entries of checkout with “qqq” in the last 2 hours',
    ],
  ] as const) {
    await workspace.plan('ben', `found = ${search}; slack.post channel=#ops text="Seen: {found.lines}"`);
    await says(`Seen: .*${said}`);
  }
  expect(workspace.transcript()).not.toContain('Nothing was found');
});

test('a fix is checked in the logs that its evidence comes from', async () => {
  await workspace.plan('ben', 'roll back payments-api');
  const words = wordsOf(await workspace.card('Roll back payments-api'));
  expect(words).toContain('Azure logs: 0 errors of payments-api in the last hour');
  expect(words).toContain('Search Azure logs for errors of payments-api in the last minute; helped if');
  expect(words).not.toContain('Splunk');
});
