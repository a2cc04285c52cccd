import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';

export interface FreshDatabase {
  /** Connection string of a database that nobody else uses. */
  readonly url: string;
  /** Makes a role that owns nothing; resolves with its address. */
  asRole(): Promise<string>;
  /** Removes it, with whatever connections are still open. */
  drop(): Promise<void>;
}

/** Makes an empty database on the server of this test run. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export function freshDatabase(): Promise<FreshDatabase> {
  return connected((client) => copyOf('template1', client));
}

/** The same with all tables in it, so that a start has nothing to migrate. */
export function migratedDatabase(): Promise<FreshDatabase> {
  return connected(async (client) => {
    // Held until this connection ends: the first test file that needs the template makes it, and the others wait.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(client);
    return copyOf(template, client);
  });
}

const template = 'migrated';
const templateLock = 4_711;

async function makeTemplate(client: pg.Client): Promise<void> {
  await client.query(`create database being_${template}`);
  const url = addressOf(`being_${template}`);
  const db = await openDatabase({ url: url.href, max: 1, log: { info() {}, warn() {}, error() {} } });
  await db.destroy();
  await client.query(`alter database being_${template} rename to ${template}`);
}

async function copyOf(source: string, client: pg.Client): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // By default every page would go through the server's buffers and its log, which takes several times as long.
  await client.query(`create database ${name} template ${source} strategy file_copy`);
  const url = addressOf(name);
  return {
    url: url.href,
    async asRole() {
      await connected((own) => own.query(`create role ${name} login password 'for-tests'`));
      return Object.assign(new URL(url), { username: name, password: 'for-tests' }).href;
    },
    async drop() {
      await connected(async (own) => {
        await own.query(`drop database if exists ${name} with (force)`);
        await own.query(`drop role if exists ${name}`);
      });
    },
  };
}

function addressOf(database: string): URL {
  return Object.assign(new URL(inject('postgresUrl')), { pathname: `/${database}` });
}

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
