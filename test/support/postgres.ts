import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface FreshDatabase {
  /** Connection string of an empty database that nobody else uses. */
  readonly url: string;
  /** Makes a role that owns nothing; resolves with its address. */
  asRole(): Promise<string>;
  /** Removes it, with whatever connections are still open. */
  drop(): Promise<void>;
}

/** Makes an empty database on the server of this test run. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const asRole = async (): Promise<string> => {
    await execute(server, `create role ${name} login password 'for-tests'`);
    return Object.assign(new URL(url), { username: name, password: 'for-tests' }).href;
  };
  const drop = async (): Promise<void> => {
    await execute(server, `drop database if exists ${name} with (force)`);
    await execute(server, `drop role if exists ${name}`);
  };
  return { url: url.href, asRole, drop };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
