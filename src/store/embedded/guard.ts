import pg from 'pg';
import type { Log } from '../../core/log.ts';
import type { ServerHome } from './data-folder.ts';
import { SERVER_NAME } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isSameFolder } from './postmaster.ts';

const GUARD_NAME = 'countersign-guard';
/** Held briefly while a bot leaves, so that two leaving at once do not wait for each other. */
const LEAVING_LOCK = 7_201_001;
const ROLE_LOCK = 7_201_002;

/** A connection that every bot keeps open to the embedded server, so that the last one can be identified. */
export interface Guard {
  /** Leaves; true when no other bot is left and the server should be stopped. */
  leave(): Promise<boolean>;
  /** Drops the connection. */
  close(): Promise<void>;
}

/** Address of a database of the embedded server. Holds the password. */
export function serverUrl(port: number, { role, password }: Login, database: string): string {
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

export interface Login {
  readonly role: string;
  readonly password: string;
}

/** The owner may do anything, the bot only what it was granted. */
export interface Logins {
  readonly owner: Login;
  readonly bot: Login;
}

/**
 * Connects, verifies that the server on the port belongs to `home`, and creates the application's database and the
 * bot's role if missing, also in a folder older than that role. Rejects with the driver's error while the server is not
 * up, with `server_foreign` when it is not ours.
 */
export async function standGuard(home: ServerHome, port: number, logins: Logins, log: Log): Promise<Guard> {
  const client = new pg.Client({
    connectionString: serverUrl(port, logins.owner, 'postgres'),
    application_name: GUARD_NAME,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  let leaving = false;
  client.on('error', (error) => {
    if (!leaving) log.warn({ reason: error.message }, 'lost the guard connection to the embedded database');
  });
  await connect(client, home);
  try {
    // Waits for a bot that is leaving: if it stops the server, this fails and the caller starts over.
    await client.query('select pg_advisory_lock($1), pg_advisory_unlock($1)', [LEAVING_LOCK]);
    await ensureDatabase(client);
    await ensureRole(client, logins.bot);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    leave() {
      leaving = true;
      return isLast(client);
    },
    close() {
      leaving = true;
      return client.end();
    },
  };
}

async function connect(client: pg.Client, home: ServerHome): Promise<void> {
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    if (await isSameFolder(home.data, rows[0]?.data_directory ?? '')) return;
  } catch (error) {
    await client.end();
    // 28xxx: authentication failed, so another server has the port or the password file was replaced.
    if (!(error instanceof pg.DatabaseError && error.code?.startsWith('28') === true)) throw error;
    throw foreign(home, error);
  }
  await client.end();
  throw foreign(home);
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [SERVER_NAME]);
  if (rowCount === 1) return;
  try {
    await client.query(`create database ${SERVER_NAME}`);
  } catch (error) {
    // 42P04 and 23505: another bot created it at the same moment.
    if (!(error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error;
  }
}

/** One bot at a time: Postgres rejects one of two concurrent changes to a role. */
async function ensureRole(client: pg.Client, { role, password }: Login): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [ROLE_LOCK]);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const change = rowCount === 0 ? 'create' : 'alter';
  await client.query(`${change} role ${role} login password ${client.escapeLiteral(password)}`);
  await client.query('select pg_advisory_unlock($1)', [ROLE_LOCK]);
}

async function isLast(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_lock($1)', [LEAVING_LOCK]);
  // Reset the name before releasing the lock, or the next one to leave might still count this connection.
  await client.query("set application_name = 'countersign-leaving'");
  const others = await client.query('select 1 from pg_stat_activity where application_name = $1 limit 1', [
    GUARD_NAME,
  ]);
  return others.rowCount === 0;
}

function foreign(home: ServerHome, cause?: unknown): EmbeddedPostgresError {
  const message = `Another database server answers where that of ${home.folder} should be; stop it, or set another DATA_DIR.`;
  return new EmbeddedPostgresError('server_foreign', message, { folder: home.folder }, cause);
}
