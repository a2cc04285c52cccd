import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeShopDatabase, type ShopDatabase } from '../../../sandbox/shop/database.ts';
import { openDatabases } from '../../../src/vendors/sql/reader.ts';
import { queryNow, written } from '../../support/queries.ts';

const log = { info() {}, warn() {}, error() {} };
let shop: ShopDatabase;
beforeAll(async () => {
  shop = await makeShopDatabase(inject('postgresUrl'), () => queryNow);
});
afterAll(() => shop.close());

async function asked(text: string, url = shop.url) {
  const databases = openDatabases({ urls: new Map([['shop', url]]), timeoutMs: 5_000, log });
  try {
    return await databases.run(written('sql', text), 5, AbortSignal.timeout(10_000));
  } finally {
    await databases.close();
  }
}

test('a session is read-only before its first transaction', async () => {
  const setting = "select current_setting('default_transaction_read_only') as setting";
  expect(await asked(setting)).toMatchObject({ rows: [['on']] });
});

test("a transaction is read-only even if the database's address says otherwise", async () => {
  const address = new URL(shop.url);
  address.searchParams.set('options', '-c default_transaction_read_only=off');
  const settings =
    "select current_setting('default_transaction_read_only') as a, current_setting('transaction_read_only') as b";
  expect(await asked(settings, address.href)).toMatchObject({ rows: [['off', 'on']] });
});

test('a second statement is refused even if both only read', async () => {
  await expect(asked('select 1 as one; select 2 as two')).rejects.toMatchObject({ retryable: false });
  const client = new pg.Client({ connectionString: shop.url });
  await client.connect();
  // The simple protocol would accept both.
  expect(await client.query('select 1 as one; select 2 as two')).toHaveLength(2);
  await client.end();
});
