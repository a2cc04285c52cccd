import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Link } from '../../../bench/chaos/link.ts';
import { makeShopDatabase, type ShopDatabase } from '../../../sandbox/shop/database.ts';
import { describeError } from '../../../src/core/errors.ts';
import { type Databases, openDatabases } from '../../../src/vendors/sql/reader.ts';
import { bound, queryNow, template, written } from '../../support/queries.ts';

const signal = () => AbortSignal.timeout(10_000);
const told: unknown[] = [];
const log = {
  info: (...line: unknown[]) => told.push(['info', ...line]),
  warn: (...line: unknown[]) => told.push(['warn', ...line]),
  error: (...line: unknown[]) => told.push(['error', ...line]),
};
let shop: ShopDatabase;
let databases: Databases;
/** The same, with a time limit that nothing here reaches. */
let patient: Databases;

beforeAll(async () => {
  shop = await makeShopDatabase(inject('postgresUrl'), () => queryNow);
  const urls = new Map([['shop', shop.url]]);
  databases = openDatabases({ urls, timeoutMs: 2_000, log });
  patient = openDatabases({ urls, timeoutMs: 60_000, log });
});
afterAll(async () => {
  await patient.close();
  await databases.close();
  await shop.close();
});

const orders = () =>
  template('sql', 'select id from orders where state = {state} and id < {most} order by id', {
    state: 'word',
    most: 'number',
  });

test('values are placeholders, whatever they contain', async () => {
  const asked = (state: string) => databases.run(bound(orders(), { state, most: 10 }), 5, signal());
  expect(await asked('failed')).toMatchObject({ columns: ['id'], total: 7, exact: true });
  for (const bad of ["'; DROP TABLE orders; --", "failed' or '1'='1", '$1', '{most}']) {
    expect(await asked(bad)).toMatchObject({ rows: [], total: 0 });
  }
  expect(await asked('failed')).toMatchObject({ total: 7 });
});

test('the first rows are kept and all of them are counted', async () => {
  const all = template('sql', 'select n, now() as at, null as nothing from generate_series(1, 100000) n');
  const { rows, total, exact } = await databases.run(bound(all), 3, signal());
  expect(rows).toHaveLength(3);
  expect(rows[0]).toEqual(['1', expect.stringMatching(/^\d{4}-.*Z$/), '']);
  expect({ total, exact }).toEqual({ total: 100_000, exact: true });
});

test('with several databases a handwritten query must name one', async () => {
  const urls = new Map([
    ['shop', shop.url],
    ['bills', 'postgres://reader@127.0.0.1:1/bills'],
  ]);
  const both = openDatabases({ urls, timeoutMs: 2_000, log });
  const ask = (more: object) => both.run(written('sql', 'select 1 as one', more), 5, signal());
  expect(await ask({ database: 'shop' })).toMatchObject({ columns: ['one'], total: 1 });
  for (const more of [{}, { database: 'nowhere' }]) {
    await expect(ask(more)).rejects.toMatchObject({
      ...{ code: 'query_source', message: expect.stringContaining('There are shop, bills; say which') },
    });
  }
  await both.close();
});

test('a query that writes is not run, however it is written', async () => {
  const run = (text: string) => databases.run(written('sql', text), 5, signal());
  for (const text of [
    'delete from orders',
    'drop table orders',
    'commit',
    '-- x\nselect 1',
    'begin; select 1',
    'select 1 into copied',
    'select * from orders for update',
    "select lo_import('/etc/passwd')",
    "select pg_read_file('/etc/passwd')",
  ]) {
    await expect(run(text), text).rejects.toMatchObject({ code: 'query_statement' });
  }
  for (const text of [
    'select 1; drop table orders',
    'select 1; commit; drop table orders',
    'with gone as (delete from orders returning id) select * from gone',
    'select nonsense from',
    'select {state} from orders',
  ]) {
    await expect(run(text), text).rejects.toMatchObject({ retryable: false, mayHaveHappened: false });
  }
  expect(await run('select count(*) as orders from orders;')).toMatchObject({
    columns: ['orders'],
    rows: [['960']],
  });
});

test('a slow query is stopped and reported as slow, and the next one can use its connection', async () => {
  await expect(databases.run(written('sql', 'select pg_sleep(60)'), 5, signal())).rejects.toMatchObject({
    code: 'query_slow',
  });
  expect(await databases.run(written('sql', 'select 1'), 5, signal())).toMatchObject({ total: 1 });
  const stop = new AbortController();
  const running = databases.run(written('sql', 'select pg_sleep(1)'), 5, stop.signal);
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(await databases.run(written('sql', 'select 2'), 5, signal())).toMatchObject({ rows: [['2']] });
});

/** The bot's statements that the server is running. */
async function running(): Promise<number> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  const { rows } = await admin.query(
    "select from pg_stat_activity where usename = $1 and state = 'active' and query ~ '^(fetch|move)'",
    [new URL(shop.url).username],
  );
  await admin.end();
  return rows.length;
}

test('a query that disables its own time limit is still stopped', async () => {
  const endless = template(
    'sql',
    "select set_config('statement_timeout', '0', true), generate_series(1, 100000000000) as n",
  );
  expect(await databases.run(bound(endless), 3, signal())).toMatchObject({ total: 3, exact: false });
  expect(await running()).toBe(0);
});

test('the database stops working on an abandoned query', async () => {
  const stop = new AbortController();
  const endless = 'with recursive r as (select 1 as n union all select n from r) select count(*) from r';
  const run = patient.run(written('sql', endless), 5, stop.signal);
  await expect.poll(running).toBe(1);
  stop.abort();
  await expect(run).rejects.toMatchObject({ code: 'unreachable' });
  await expect.poll(running, { timeout: 5_000 }).toBe(0);
});

test.each([
  ['one value', "select repeat('x', 20000000)"],
  ['many rows', "select repeat('x', 1000000) from generate_series(1, 20)"],
  ['an error', "select repeat('x', 20000000)::int"],
])('an answer that is too large is stopped before it fills the memory: %s', async (_what, sql) => {
  const run = patient.run(written('sql', sql), 200, AbortSignal.timeout(60_000));
  const ended = await run.then(({ rows }) => `${rows.length} rows`, describeError);
  expect(ended).toMatchObject({
    code: 'answer_too_large',
    message: expect.stringContaining('The answer of shop is larger than 8 MB'),
  });
  await expect.poll(running, { timeout: 5_000 }).toBe(0);
  expect(await databases.run(written('sql', 'select 1'), 5, signal())).toMatchObject({ total: 1 });
});

test('values are shown as the database writes them, and a long one is cut', async () => {
  const sql = `select '{"a":  1}'::json as j, array[1, 2] as a, interval '1 hour' as i, true as b, repeat('x', 10000) as t`;
  const { rows } = await patient.run(written('sql', sql), 5, AbortSignal.timeout(60_000));
  expect(rows[0]?.slice(0, 4)).toEqual(['{"a":  1}', '{1,2}', '01:00:00', 'true']);
  expect(rows[0]?.[4]).toBe(`${'x'.repeat(1_999)}…`);
});

test('a lock taken by a handwritten query is released with its session', async () => {
  const own = Object.assign(new URL(inject('postgresUrl')), { pathname: new URL(shop.url).pathname }).href;
  const other = new pg.Client({ connectionString: own });
  await other.connect();
  await other.query(
    `create function orders_locked() returns void language sql as 'select pg_advisory_lock(7)'`,
  );
  await other.query('grant usage on schema public to public');
  await databases.run(written('sql', 'select orders_locked()'), 5, signal());
  await other.query('set lock_timeout = 5000');
  await other.query('select pg_advisory_lock(7)');
  await other.end();
});

test('a role that can write is detected at the start, reported, and never used', async () => {
  const server = inject('postgresUrl');
  const own = Object.assign(new URL(server), { pathname: new URL(shop.url).pathname }).href;
  const admin = new pg.Client({ connectionString: own });
  await admin.connect();
  const role = new URL(shop.url).username;
  const opened = (url: string) => openDatabases({ urls: new Map([['shop', url]]), timeoutMs: 2_000, log });
  const refusal = async (url: string) => {
    const other = opened(url);
    told.length = 0;
    await other.checkRoles();
    const said = JSON.stringify(told);
    const error = await other.run(written('sql', 'select 1'), 5, signal()).catch((thrown: unknown) => thrown);
    await other.close();
    expect(error).toMatchObject({ code: 'role_can_write', retryable: false });
    return said;
  };
  expect(await refusal(own)).toContain('is an administrator');
  await admin.query(`grant update (state) on orders to ${role}`);
  expect(await refusal(shop.url)).toContain('may write orders');
  await admin.query(`revoke update (state) on orders from ${role}`);
  await admin.query(`grant create on schema public to ${role}`);
  const said = await refusal(shop.url);
  expect(said).toContain('may create tables');
  expect(said).toContain('switched off');
  expect(said).not.toContain(new URL(shop.url).password);
  await admin.query(`revoke create on schema public from ${role}`);
  await admin.end();
  const fine = opened(shop.url);
  told.length = 0;
  await fine.checkRoles();
  expect(JSON.stringify(told)).toContain('can only read');
  await fine.close();
});

test('a database that is down is reported as down, without its password', async () => {
  const down = openDatabases({
    urls: new Map([['shop', 'postgres://reader:hunter2-hunter2@127.0.0.1:1/shop']]),
    timeoutMs: 2_000,
    log,
  });
  told.length = 0;
  await down.checkRoles();
  const error = await down.run(written('sql', 'select 1'), 5, signal()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'unreachable', retryable: true });
  expect(`${String(error)}${JSON.stringify(told)}`).not.toContain('hunter2');
  await down.close();
});

test('a check asks for the plan of a query with its values, and reads no row', async () => {
  expect(await databases.check(bound(orders(), { state: 'failed', most: 10 }), signal())).toBeUndefined();
  const check = (text: string) => databases.check(written('sql', text), signal());
  await expect(check('select nonsense from orders')).rejects.toMatchObject({
    ...{ code: 'refused', message: expect.stringContaining('column "nonsense" does not exist') },
  });
  await expect(check("select * from orders where id = 'x'")).rejects.toMatchObject({ code: 'query_value' });
  await expect(check('select 1 as one into copied')).rejects.toMatchObject({ code: 'query_statement' });
  expect(await check('select 1 / (count(*) - count(*)) from orders')).toBeUndefined();
});

test('a query over the bounds of its database fails the check, and one that stops early does not', async () => {
  const urls = new Map([['shop', shop.url]]);
  const bounds = new Map([['shop', { cost: 500, rows: 100 }]]);
  const bounded = openDatabases({ urls, bounds, timeoutMs: 2_000, log });
  const check = (text: string) => bounded.check(written('sql', text), signal());
  const message = expect.stringMatching(
    /expects the query to cost \S+ and 100,000 rows; at most 500 and 100/,
  );
  await expect(check('select n from generate_series(1, 100000) n')).rejects.toMatchObject({
    ...{ code: 'query_costly', retryable: false, message },
  });
  expect(await check('select n from generate_series(1, 100000) n limit 3')).toBeUndefined();
  await bounded.close();
});

test('a plan that takes a minute to make is given up, and the next check can use the connection', async () => {
  const admin = Object.assign(new URL(inject('postgresUrl')), { pathname: new URL(shop.url).pathname });
  const owner = new pg.Client({ connectionString: admin.href });
  await owner.connect();
  await owner.query(
    `create function slow() returns int immutable language plpgsql as 'begin perform pg_sleep(60); return 1; end'`,
  );
  await owner.end();
  await expect(
    databases.check(written('sql', 'select id from orders where id = slow()'), signal()),
  ).rejects.toMatchObject({ code: 'query_slow', message: expect.stringContaining('took too long') });
  expect(await databases.check(written('sql', 'select 1'), signal())).toBeUndefined();
});

test('a database that breaks the connection of a query fails that query, and the next one works', async () => {
  const url = new URL(shop.url);
  const link = await Link.to(Number(url.port));
  url.port = String(link.port);
  const through = openDatabases({
    urls: new Map([['shop', url.href]]),
    timeoutMs: 10_000,
    log,
  });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  const slow = template('sql', 'select pg_sleep(5) as slept');
  const asked = through.run(bound(slow), 5, signal());
  setTimeout(() => {
    link.cut();
    link.heal();
  }, 200);
  await expect(asked).rejects.toThrow();
  const { total } = await through.run(bound(orders(), { state: 'failed', most: 10 }), 5, signal());
  process.off('uncaughtExceptionMonitor', note);
  await through.close();
  await link.close();
  expect(uncaught).toEqual([]);
  expect(total).toBe(7);
});
