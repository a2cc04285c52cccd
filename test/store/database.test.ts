import { readdirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Link } from '../../bench/chaos/link.ts';
import { connectAside, openDatabase } from '../../src/store/database.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';

let database: FreshDatabase;
const log = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

async function migrationNames(url: string): Promise<string[]> {
  const db = await openDatabase({ url, log });
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  await db.destroy();
  return rows.map((row) => row.name);
}

test('four processes opening an empty database migrate it once, and opening it again changes nothing', async () => {
  const lists = await Promise.all([1, 2, 3, 4].map(() => migrationNames(database.url)));
  const files = readdirSync('src/store/migrations').filter((name) => name.endsWith('.ts'));
  expect(lists[0]).toEqual(files.map((name) => name.replace('.ts', '')).toSorted());
  for (const list of lists) expect(list).toEqual(lists[0]);
  expect(await migrationNames(database.url)).toEqual(lists[0]);
});

test('the bot role keeps its privileges while another process starts', async () => {
  const shared = await freshDatabase();
  const own = { url: await shared.asRole(), ownerUrl: shared.url, log };
  const bot = await openDatabase(own);
  let starting = true;
  const starts = (async () => {
    for (let nth = 0; nth < 5; nth += 1) await (await openDatabase(own)).destroy();
    starting = false;
  })();
  const denied = new Set<string>();
  while (starting) {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
        and not has_table_privilege(oid, 'select')`.execute(bot);
    for (const { name } of rows) denied.add(name);
  }
  await starts;
  await bot.destroy();
  await shared.drop();
  expect([...denied]).toEqual([]);
});

test("a database migrated by newer code is refused by the unknown migration's name and left alone", async () => {
  const newer = await freshDatabase();
  const db = await openDatabase({ url: newer.url, log });
  await sql`insert into kysely_migration (name, timestamp) values ('901-later', 'now')`.execute(db);
  await db.destroy();
  await expect(openDatabase({ url: newer.url, log })).rejects.toMatchObject({
    code: 'database_newer',
    message: expect.stringContaining('901-later'),
  });
  await newer.drop();
});

test('an unusable database is reported in one line with the fix, without the password', async () => {
  const there = new URL(database.url);
  const { host, username, password } = there;
  const elsewhere = new URL('/nowhere', there);
  const refused = new URL(there);
  refused.username = 'nobody-we-know';
  refused.password = 'hunter2';
  const cases = [
    [
      'postgres://someone:hunter2@127.0.0.1:1/nowhere',
      'ECONNREFUSED',
      'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED); check DATABASE_URL, and that Postgres is up.',
    ],
    [
      elsewhere.href,
      '3D000',
      `Postgres at ${host} has no database nowhere; make it with createdb, or correct DATABASE_URL.`,
    ],
    [
      refused.href,
      '28P01',
      `Postgres at ${host} does not accept nobody-we-know or its password; correct DATABASE_URL or DATABASE_OWNER_URL.`,
    ],
  ] as const;
  for (const [url, reason, message] of cases) {
    const error = await openDatabase({ url, log }).then(
      () => new Error('it opened'),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'database_unreachable', message, facts: { reason } });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(JSON.stringify(error)).not.toContain(password);
    expect(username).not.toBe('');
  }
});

test('an unused connection is closed as well', async () => {
  const db = await openDatabase({ url: database.url, max: 1, log });
  const others = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    return rows.length;
  };
  const before = await others();
  await (await connectAside(database.url, log)).destroy();
  await expect.poll(others).toBe(before);
  await db.destroy();
});

test('a connection that breaks in a transaction fails that transaction, and the next one works', async () => {
  const fresh = await freshDatabase();
  const link = await Link.to(Number(new URL(fresh.url).port));
  const url = new URL(fresh.url);
  url.port = String(link.port);
  const db = await openDatabase({ url: url.href, log });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  const broken = db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    link.cut();
    link.heal();
    for (let nth = 0; nth < 20; nth += 1) await turn();
    await sql`select 2`.execute(trx);
  });
  await expect(broken).rejects.toThrow();
  const { rows } = await sql<{ three: number }>`select 3 as three`.execute(db);
  process.off('uncaughtExceptionMonitor', note);
  await db.destroy();
  await link.close();
  await fresh.drop();
  expect(uncaught).toEqual([]);
  expect(rows).toEqual([{ three: 3 }]);
});
