/** Why: a query that a person wrote runs where the operator allowed its language, with limits and read-only. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({
    sandbox: { databaseServer: inject('postgresUrl') },
    config: configWith({ pasted_queries: ['sql', 'kql', 'spl'] }),
  });
});
afterAll(() => finish(workspace));

/** Resolves with the answer to a query that Ben pasted. */
async function ask(plan: string, words: string | RegExp): Promise<string> {
  await workspace.plan('ben', plan);
  const answer = await workspace.card(words);
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  return wordsOf(answer);
}

test('SQL runs as pasted, and a long result shows its first rows with the total', async () => {
  const many = await ask('sql.query query="select id, state from orders order by id"', /50 of 960 shown/);
  expect(many).toContain('failed');
  expect(many).toMatch(/^“select id, state from orders order by id”: 960 rows\./);
  expect(await ask('sql.query query="select count(*) as n from carts"', /\b400\b/)).toContain('select count');
});

test('a number is shown once, exactly as the database returned it', async () => {
  for (const [sql, said] of [
    ['select 12.70 as mean', '12.70'],
    ['select 5 - 8 as balance', '-3'],
    ['select 9007199254740993 as id', '9007199254740993'],
  ] as const) {
    expect(await ask(`sql.query query="${sql}"`, sql)).toContain(`“${sql}”: ${said}.`);
  }
  const whole = await ask('sql.query query="select 42 as whole"', /select 42 as whole”: 42\./);
  expect(whole.match(/\b42\b(?! as)/g)).toHaveLength(1);
  const many = await ask(
    'sql.query query="select 0.10 as fee, n from generate_series(1, 1200) n"',
    /1,200 rows/,
  );
  expect(many).toContain('0.10');
  expect(many).toContain('50 of 1,200 shown');
});

test('KQL runs as pasted, within its time window', async () => {
  const count = await ask(
    `logs.kql query="AppTraces | where Code == 'PAY-E-2201' | summarize n = count()" window=PT1H`,
    /\b214\b/,
  );
  expect(count).toContain('n = count()” in the last hour: 214.');
});

test.each([
  ['sql.query query="delete from orders"', 'it has to begin with SELECT or WITH'],
  [
    'slack.post channel=#general text="Hi"\n  verify: within 10s after.total < 3: sql.query query="delete from orders"',
    'it has to begin with SELECT or WITH',
  ],
  ['sql.query query="select set_config(1, 2, true)"', 'may not use “set_config”'],
  ['sql.query query="select 1; drop table orders"', 'The database shop did not accept the query'],
  [
    'sql.query query="with gone as (delete from orders returning id) select * from gone"',
    'must not contain data-modifying statements',
  ],
  ['logs.spl query="index=shop | delete"', 'may not use “delete”: it only reads'],
  ['sql.query query="select stat from orders"', 'column "stat" does not exist'],
  [
    'sql.query query="select a from generate_series(1, 9000) a, generate_series(1, 9000) b"',
    'and 81,000,000 rows; at most',
  ],
  ['logs.kql query="AppTrace | count"', "expression named 'AppTrace'"],
  ['logs.spl query="index=shop | stats median by host"', "Error in 'stats' command"],
])('%s is refused before anything runs, in the words of its source', async (plan, words) => {
  const before = await rows(workspace, 'select count(*) from runs');
  await workspace.plan('ben', plan);
  const refusal = await workspace.whisper('ben', words);
  expect(wordsOf(refusal)).toMatch(/^I couldn’t turn that into a safe plan\./);
  expect(await rows(workspace, 'select count(*) from runs')).toEqual(before);
});

test('a query whose source is away is left to the read, which says so', async () => {
  workspace.sandbox.faults.add({ vendor: 'azure', kind: 'status', status: 503, times: 9 });
  expect(await ask('logs.kql query="AppTraces | count" window=PT1H', /had an error on its side/)).toContain(
    'kql',
  );
  workspace.sandbox.faults.clear();
});
