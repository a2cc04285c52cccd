import pg from 'pg';
import { unreachable } from './connection-errors.ts';
import { StoreError } from './errors.ts';

/** On a busy pooler a stranger may take the connection in between, so it is looked at more than once. */
const looks = 3;

/**
 * Throws StoreError `database_pooled` where several clients share a session, as behind a pooler in transaction mode. A
 * process proves that it lives by a lock of its session, listens in it and prepares statements in it, so it would start
 * and then fail. Throws StoreError `database_unreachable`.
 */
export async function refusePooler(url: string): Promise<void> {
  const [first, second] = [clientOf(url), clientOf(url)];
  try {
    await Promise.all([first.connect(), second.connect()]);
    for (let look = 0; look < looks; look += 1) {
      if (await isShared(first, second)) throw pooled(url);
    }
  } catch (error) {
    throw error instanceof StoreError ? error : unreachable(url, error);
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}

/** While one is in a transaction the other needs a connection to Postgres of its own, and keeps the one that it had. */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await backendOf(first);
  if (!(await begins(second))) return true;
  try {
    return (await backendOf(second)) === before || (await backendOf(first)) !== before;
  } finally {
    await second.query('rollback');
  }
}

/** A pooler that lends connections by the statement refuses transactions, and then the connection is closed. */
function begins(client: pg.Client): Promise<boolean> {
  return client.query('begin').then(
    () => true,
    () => false,
  );
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function clientOf(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  // A connection that breaks here tells the one that asked for it.
  client.on('error', () => undefined);
  return client;
}

function pooled(url: string): StoreError {
  const { host, port } = new pg.Client({ connectionString: url });
  const message =
    `At ${host}:${port} there is a pooler that lends its connections for one transaction at a time, and Countersign needs ` +
    'sessions of its own: give it the address of Postgres itself, or set pool_mode = session for its database (docs/postgres.md).';
  return new StoreError('database_pooled', message, {});
}
