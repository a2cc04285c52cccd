import pg from 'pg';
import type { Log } from '../../core/log.ts';
import type { ServerHome } from './data-folder.ts';
import { SERVER_NAME } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isSameFolder } from './postmaster.ts';

const GUARD_NAME = 'countersign-guard';
/** Taken for the moment in which a bot leaves, so that two that leave at once do not wait for each other. */
const LEAVING_LOCK = 7_201_001;
const ROLE_LOCK = 7_201_002;

/** One connection that every bot keeps open to the embedded server, so that the last one to leave is known. */
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

/** Who may do what: the owner everything, the bot only what it was granted. */
export interface Logins {
  readonly owner: Login;
  readonly bot: Login;
}

/**
 * Connects, makes sure that the server behind the port is the one of `home`, and that the application's database and
 * the bot's role exist, also in a folder from before there was such a role. Rejects with the driver's error while the server is not there, with `server_foreign` when it is not ours.
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
    // Waits for a bot that is just leaving: when it takes the server down, this fails and the caller starts anew.
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
    // 28xxx: authentication failed, so some other server has the port or the password file was replaced.
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
    // 42P04 and 23505: a second bot has made it in the same moment.
    if (!(error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error;
  }
}

/** One bot at a time: of two changes of a role at once Postgres refuses one. */
async function ensureRole(client: pg.Client, { role, password }: Login): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [ROLE_LOCK]);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const change = rowCount === 0 ? 'create' : 'alter';
  await client.query(`${change} role ${role} login password ${client.escapeLiteral(password)}`);
  await client.query('select pg_advisory_unlock($1)', [ROLE_LOCK]);
}

async function isLast(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_lock($1)', [LEAVING_LOCK]);
  // The name goes before the lock does, else the next one to leave might still count this connection.
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
