/** Why: “how bad is it” is a share, and one that is computed from other numbers than those shown wakes people for nothing. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({
    sandbox: { databaseServer: inject('postgresUrl') },
  });
});
afterAll(() => finish(workspace));

const says = (words: RegExp) =>
  workspace.until(() => words.test(workspace.transcript()), `the words ${words}`);

const numbers = 'part = sql.query named=failed-orders window=2h; whole = sql.query named=orders window=2h; ';
const share = 'share = numbers.share part={part} whole={whole}';

/** The figures of a share: the part, the whole and the percentage. */
function figuresIn(words: string): number[] {
  const found = /: ([\d,]+) of ([\d,]+) orders, ([\d.]+) %/.exec(words) ?? [];
  return found.slice(1).map((figure) => Number(figure.replaceAll(',', '')));
}

test('one query as a share of another: the answer says both figures and the percentage', async () => {
  await workspace.plan('ben', 'failed orders as a share of orders in the last 2 hours');
  const answer = await workspace.card(/^Failed orders in the last 2 hours/);
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  const [part = 0, whole = 0, percent = 0] = figuresIn(answer.text);
  expect(part).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(part);
  expect(percent).toBeCloseTo((part / whole) * 100, 1);
  // Each number is said once, and how it was found is below.
  expect(answer.text).toMatch(/^Failed orders in the last 2 hours: [^;]+ %\. Read/);
  expect(wordsOf(answer)).toContain('Query the database for orders in the last 2 hours');
});

test('tickets as a share of tickets', async () => {
  await workspace.plan('ben', 'what share of open tickets in OPS are P1');
  const answer = await workspace.card('Open P1 tickets');
  expect(answer.text).toMatch(/^Open P1 tickets in OPS: 24 of 35 open tickets, 68\.6 %\./);
});

test('a page rests on the share that its card shows', async () => {
  await workspace.plan('ben', 'page checkout if failed orders exceed 5 % of orders');
  const card = await workspace.card('Page the on-call of checkout');
  expect(wordsOf(card)).toMatch(
    /only if\s+the share of failed orders among orders in the last hour \(%\) is more than 5/,
  );
  const [part = 0, whole = 0] = figuresIn(wordsOf(card));
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  const [page] = workspace.sandbox.pagerduty.store.incidents().filter(({ title }) => /share/.test(title));
  const sent = Number(/\(%\): ([\d.]+)/.exec(page?.title ?? '')?.[1]);
  expect(sent).toBeCloseTo((part / whole) * 100, 1);
  await workspace.plan(
    'ben',
    `${numbers}${share}; when share > 99.9: pagerduty.page service=checkout text="all fail"`,
  );
  await workspace.card(/orders in the last 2h: \d+ of \d+ orders, [\d.]+ %: not more than 99\.9\./);
});

test('without a whole there is no share, and nothing is written', async () => {
  const then = numbers.replaceAll('window=2h', 'during=2020-01-01');
  await workspace.plan('ben', `${then}${share}`);
  const answer = await workspace.card('there is no share');
  expect(answer.text).toMatch(/Failed orders on 2020-01-01: 0 of 0 orders, so there is no share\./);
  await workspace.plan('ben', `${then}${share}; when share < 5: pagerduty.page service=ops text="none fail"`);
  const card = await workspace.card('none fail');
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
  expect(wordsOf(card)).toMatch(/share of failed orders among orders on 2020-01-01 \(%\) is not known/i);
});

test('an estimate, or a number that could not be read, makes no share', async () => {
  const table = { name: 'PrimaryResult', columns: [{ name: 'entries', type: 'long' }], rows: [[230], [4]] };
  const answers = (status: number, body: object) => {
    workspace.sandbox.faults.clear();
    workspace.sandbox.faults.add({ vendor: 'azure', kind: 'status', status, body });
  };
  const plan =
    'part = logs.kql named=errors service=checkout; whole = sql.query named=orders; numbers.share part={part} whole={whole}';
  answers(200, { tables: [table], error: { code: 'PartialError', message: 'only some were searched' } });
  await workspace.plan('ben', plan);
  await says(/errors of checkout: only an estimate is known, and that is not enough here/i);
  const innererror = { code: 'SyntaxError', message: 'no such table' };
  answers(400, { error: { code: 'BadArgumentError', message: 'bad', innererror } });
  await workspace.plan('ben', plan);
  const answer = await workspace.card(/Couldn’t find out:\s+Search Azure logs for errors of checkout/);
  expect(wordsOf(answer)).not.toMatch(/\d of \d/);
  workspace.sandbox.faults.clear();
});

test('a share of something that nobody counts is asked about', async () => {
  await workspace.plan('ben', 'errors of checkout as a share of requests');
  await says(/I can’t count “requests”\. A share needs two numbers/);
  await workspace.plan('ben', 'failed orders as a share of orders by country');
  await says(/I can’t count “orders by country”/);
});
