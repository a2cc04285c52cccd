import { afterEach, expect, test } from 'vitest';
import { whyGrantsAreUnsafe } from '../../../src/vendors/sql/mysql.ts';
import { type Databases, openDatabases } from '../../../src/vendors/sql/reader.ts';
import { type MysqlAnswer, type MysqlStandIn, startMysql } from '../../support/mysql-server.ts';
import { bound, template, written } from '../../support/queries.ts';

test.each([
  [['GRANT USAGE ON *.* TO `r`@`%`', 'GRANT SELECT, SHOW VIEW ON `shop`.* TO `r`@`%`'], null],
  [['GRANT SELECT (`id`, `state`) ON `shop`.`orders` TO `r`@`%`'], null],
  [['GRANT SELECT, INSERT ON `shop`.* TO `r`@`%`'], 'its role has INSERT.'],
  [['GRANT SELECT, UPDATE (`state`) ON `shop`.`orders` TO `r`@`%`'], 'its role has UPDATE.'],
  [['GRANT ALL PRIVILEGES ON *.* TO `r`@`%`'], 'its role has ALL PRIVILEGES.'],
  [['GRANT FILE ON *.* TO `r`@`%`'], 'its role has FILE.'],
  [['GRANT EXECUTE ON `shop`.* TO `r`@`%`'], 'its role has EXECUTE.'],
  [['GRANT SELECT ON `shop`.* TO `r`@`%` WITH GRANT OPTION'], 'its role may pass its rights on.'],
  [
    ['GRANT `writers`@`%` TO `r`@`%`'],
    'its role has a grant that cannot be judged: GRANT `writers`@`%` TO `r`@`%`.',
  ],
] as const)('a MySQL role that could write is detected by its grants: %j', (grants, why) => {
  expect(whyGrantsAreUnsafe(grants)).toBe(why);
});

const quiet = { info() {}, warn() {}, error() {} };
const mayRead = 'GRANT SELECT ON `shop`.* TO `reader`@`%`';
let server: MysqlStandIn;
let databases: Databases | undefined;
afterEach(async () => {
  if (databases === undefined) return;
  await databases.close();
  await server.close();
});

/** A MySQL whose role has one grant. */
async function open(
  answer: (statement: string) => MysqlAnswer,
  { grant = mayRead, timeoutMs = 2_000, bounds = { cost: 1e6, rows: 1e6 } } = {},
): Promise<Databases> {
  server = await startMysql((statement) =>
    statement.startsWith('show grants') ? { columns: ['grants'], rows: [[grant]] } : answer(statement),
  );
  databases = openDatabases({
    ...{ urls: new Map([['shop', server.url]]), bounds: new Map([['shop', bounds]]), timeoutMs, log: quiet },
  });
  return databases;
}

const orders = template('sql', 'select id from orders where state = {state}', { state: 'word' });
const signal = () => AbortSignal.timeout(10_000);

test('a question runs in a read-only transaction with a time limit and separate values', async () => {
  const shop = await open(() => ({ columns: ['id'], rows: [['7'], ['8']] }));
  const found = await shop.run(bound(orders, { state: "x'; drop table orders; --" }), 5, signal());
  expect(found).toEqual({ columns: ['id'], rows: [['7'], ['8']], total: 2, exact: true });
  expect(server.heard).toEqual([
    'show grants for current_user()',
    'set session /*!50704 max_execution_time = 2000 *//*M! max_statement_time = 2 */',
    'start transaction read only',
    'select id from orders where state = ?',
    `execute ["x'; drop table orders; --"]`,
    'rollback',
  ]);
});

test('the first rows are kept and all of them are counted', async () => {
  const shop = await open(() => ({
    columns: ['id'],
    rows: Array.from({ length: 5_000 }, (_, n) => [`${n}`]),
  }));
  const { rows, total, exact } = await shop.run(bound(orders, { state: 'failed' }), 3, signal());
  expect({ rows, total, exact }).toEqual({ rows: [['0'], ['1'], ['2']], total: 5_000, exact: true });
});

test('whole numbers are exact to the last digit', async () => {
  const shop = await open(() => ({ columns: ['id'], rows: [[9_007_199_254_740_993n], [7n]] }));
  const { rows } = await shop.run(bound(orders, { state: 'failed' }), 3, signal());
  expect(rows).toEqual([['9007199254740993'], ['7']]);
});

test('JSON is shown as the server writes it', async () => {
  const shop = await open(() => ({ columns: ['j'], rows: [['{"a":  1}']], json: true }));
  const { rows } = await shop.run(bound(orders, { state: 'failed' }), 3, signal());
  expect(rows).toEqual([['{"a":  1}']]);
});

test('a handwritten query gets a session that ends with it', async () => {
  const shop = await open(() => ({ columns: ['held'], rows: [['1']] }));
  await shop.run(written('sql', 'select @@in_transaction as held'), 3, signal());
  await expect.poll(() => server.sessions()).toBe(0);
  await shop.run(bound(orders, { state: 'failed' }), 3, signal());
  expect(server.sessions()).toBe(1);
});

test('a role that could write is never queried', async () => {
  const shop = await open(() => 'silence', { grant: 'GRANT SELECT, INSERT ON `shop`.* TO `reader`@`%`' });
  await expect(shop.run(bound(orders, { state: 'failed' }), 3, signal())).rejects.toMatchObject({
    code: 'role_can_write',
    message: expect.stringContaining('its role has INSERT'),
  });
  expect(server.heard).toEqual(['show grants for current_user()']);
});

test.each([
  [3024, 'maximum statement execution time exceeded', 'query_slow'],
  [1969, 'Query execution was interrupted (max_statement_time exceeded)', 'query_slow'],
  [1792, 'Cannot execute statement in a READ ONLY transaction', 'read_only'],
  [1142, 'SELECT command denied for reader on salaries', 'forbidden'],
] as const)('error %i of MySQL or MariaDB (%s) is classified correctly', async (error, message, code) => {
  const shop = await open(() => ({ error, message }));
  const run = shop.run(written('sql', 'select 1'), 3, signal());
  await expect(run).rejects.toMatchObject({ code, retryable: false });
});

test('an abandoned query is stopped at the server', async () => {
  const shop = await open(() => 'silence');
  const stop = new AbortController();
  const run = shop.run(written('sql', 'select sum(n) from orders'), 3, stop.signal);
  await expect.poll(() => server.heard.at(-1)).toBe('execute []');
  stop.abort();
  await expect(run).rejects.toMatchObject({ code: 'unreachable', retryable: true });
  await expect.poll(() => server.heard.at(-1)).toBe('kill 1');
  await expect.poll(() => server.sessions()).toBe(0);
});

test('a server that ignores the time limit is abandoned when the time is up', async () => {
  const shop = await open(() => 'silence', { timeoutMs: 100 });
  const run = shop.run(written('sql', 'select sum(n) from orders'), 3, signal());
  await expect(run).rejects.toMatchObject({ code: 'query_slow', retryable: false });
  await expect.poll(() => server.heard.at(-1)).toBe('kill 1');
});

test.each([
  ['one value', [['x'.repeat(9_000_000)]]],
  ['many rows', Array.from({ length: 9 }, () => ['x'.repeat(1_000_000)])],
])('an answer that is too large is stopped before it fills the memory: %s', async (_what, rows) => {
  const shop = await open(() => ({ columns: ['text'], rows }), { timeoutMs: 60_000 });
  await expect(
    shop.run(written('sql', 'select text from notes'), 200, AbortSignal.timeout(60_000)),
  ).rejects.toMatchObject({
    ...{ code: 'answer_too_large', retryable: false },
    message: expect.stringContaining('The answer of shop is larger than 8 MB'),
  });
});

test('rows that are only counted are not kept in memory, and counting stops as well', async () => {
  const rows = Array.from({ length: 45 }, () => ['x'.repeat(1_000_000)]);
  const shop = await open(() => ({ columns: ['text'], rows }), { timeoutMs: 60_000 });
  const found = await shop.run(written('sql', 'select text from notes'), 2, AbortSignal.timeout(60_000));
  expect(found.rows).toHaveLength(2);
  expect(found).toMatchObject({ exact: false });
  expect(found.total).toBeGreaterThan(30);
});

test.each([
  ['MySQL', { query_block: { cost_info: { query_cost: '2000.50' }, table: { rows_examined_per_scan: 9 } } }],
  ['the newer format of MySQL', { query_plan: { estimated_total_cost: 2000.5, estimated_rows: 7 } }],
  ['MariaDB', { query_block: { select_id: 1, cost: 2000.5 } }],
])('a check refuses a query by the cost that %s expects', async (_server, plan) => {
  const rows = [[JSON.stringify(plan)]];
  const shop = await open(() => ({ columns: ['EXPLAIN'], rows }), { bounds: { cost: 2_000, rows: 10 } });
  await expect(shop.check(bound(orders, { state: 'failed' }), signal())).rejects.toMatchObject({
    ...{ code: 'query_costly', message: expect.stringContaining('to cost 2,001 and') },
  });
  expect(server.heard.slice(2)).toEqual([
    'start transaction read only',
    'explain format=json select id from orders where state = ?',
    'execute ["failed"]',
    'rollback',
  ]);
});

test('a check of MySQL passes where it names no cost, and fails with its own words', async () => {
  const shop = await open((statement) =>
    statement.includes('nonsense')
      ? { error: 1054, message: "Unknown column 'nonsense' in 'field list'" }
      : { columns: ['EXPLAIN'], rows: [['{"query_block": {"select_id": 1}}']] },
  );
  expect(await shop.check(written('sql', 'select 1'), signal())).toBeUndefined();
  await expect(shop.check(written('sql', 'select nonsense from orders'), signal())).rejects.toMatchObject({
    ...{ code: 'refused', message: expect.stringContaining("Unknown column 'nonsense'") },
  });
});
