import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { rowsOf } from './rows.ts';

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
  return copyOf('template1');
}

/** The same with all tables in it, so that a start has nothing to migrate. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  templateMade ??= ensureTemplate();
  await templateMade;
  return copyOf(template);
}

const template = 'migrated';
const templateLock = 4_711;
let templateMade: Promise<void> | undefined;

async function ensureTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    // Held until this connection ends: the first process that needs the template makes it, and the others wait.
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(client);
  } finally {
    await client.end();
  }
}

async function makeTemplate(client: pg.Client): Promise<void> {
  await client.query(`create database being_${template}`);
  const url = addressOf(`being_${template}`);
  const db = await openDatabase({ url: url.href, max: 1, log: { info() {}, warn() {}, error() {} } });
  await db.destroy();
  await client.query(`alter database being_${template} rename to ${template}`);
}

async function copyOf(source: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // By default every page would go through the server's buffers and its log, which takes several times as long.
  await onServer(`create database ${name} template ${source} strategy file_copy`);
  const url = addressOf(name);
  return {
    url: url.href,
    async asRole() {
      await onServer(`create role ${name} login password 'for-tests'`);
      return Object.assign(new URL(url), { username: name, password: 'for-tests' }).href;
    },
    async drop() {
      await onServer(`drop database if exists ${name} with (force)`);
      await onServer(`drop role if exists ${name}`);
    },
  };
}

function addressOf(database: string): URL {
  return Object.assign(new URL(inject('postgresUrl')), { pathname: `/${database}` });
}

function onServer(statement: string): Promise<unknown> {
  return rowsOf(inject('postgresUrl'), statement);
}
