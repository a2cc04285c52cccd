import pg from 'pg';
import { z } from 'zod';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { withinLimits } from './limits.ts';
import type { DatabaseAddress, Estimate, SqlRows, SqlSession, SqlStatement } from './port.ts';

/** Connections for queries, separate from the bot's own. */
const maxConnections = 3;
const connectionTimeoutMillis = 5_000;

/** Why a role could write, or reach outside the tables; one row, `why` null when it can do neither. */
const roleCheck = `
select current_user as role, case
  when r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication then 'is an administrator'
  when exists (select from pg_roles p where p.rolname in ('pg_write_all_data', 'pg_write_server_files',
    'pg_read_server_files', 'pg_execute_server_program', 'pg_signal_backend') and pg_has_role(current_user, p.oid, 'member'))
    then 'is a member of a role of the server that may do more than read tables'
  when exists (select from pg_namespace n where n.nspname !~ '^pg_' and has_schema_privilege(n.oid, 'create'))
    then 'may create tables'
  else (select 'may write ' || c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and (has_table_privilege(c.oid, 'insert, update, delete, truncate') or has_any_column_privilege(c.oid, 'insert, update'))
    limit 1)
end as why from pg_roles r where r.rolname = current_user`;

/** A Postgres database with a read-only role. */
export function openPostgres({ name: source, url, log }: DatabaseAddress): SqlSession {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis,
    application_name: 'countersign queries',
    options: '-c default_transaction_read_only=on',
  });
  // An idle connection that breaks is replaced at the next query; one in use fails its query. Without a listener, which
  // the pool has only while a connection is idle, either would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  /** In a read-only transaction and within the limits; the connection goes back to the pool. */
  const inTransaction = async <T>(
    statement: SqlStatement,
    signal: AbortSignal,
    work: (client: pg.PoolClient, statement: SqlStatement) => Promise<T>,
  ): Promise<T> => {
    const client = await pool.connect();
    let [backend, open] = [0, true];
    const release = (broken: boolean): void => {
      if (open) client.release(broken);
      open = false;
    };
    const stop = (): void => {
      release(true);
      if (backend === 0) return;
      endBackend(url, backend).catch((error: unknown) => {
        log.warn({ database: source, ...describeError(error) }, 'Could not stop a query at its database');
      });
    };
    const { stream } = client.connection;
    const { timeoutMs } = statement;
    try {
      const result = await withinLimits({ source, timeoutMs, signal, stream, stop }, async () => {
        backend = await begin(client);
        return await work(client, statement);
      });
      release(statement.byHand);
      return result;
    } finally {
      release(true);
    }
  };
  return {
    dialect: 'postgres',
    placeholder: (position) => `$${position}`,
    close: () => pool.end(),
    async whyNotSafe() {
      const { rows } = await pool.query<{ role: string; why: string | null }>(roleCheck);
      const [found] = rows;
      if (found === undefined) return 'its role cannot be looked up.';
      return found.why === null ? null : `its role ${found.role} ${found.why}.`;
    },
    read: (statement, signal) => inTransaction(statement, signal, readOnly),
    estimate: (statement, signal) => inTransaction(statement, signal, explain),
  };
}

/** Starts a read-only transaction and returns its backend. Strings have the meaning the guard assumes. */
async function begin(client: pg.PoolClient): Promise<number> {
  await client.query('begin transaction isolation level repeatable read read only');
  await client.query('set local standard_conforming_strings = on');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** Closing a connection does not stop its backend, which only notices when it has something to send. */
async function endBackend(url: string, pid: number): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis,
    query_timeout: connectionTimeoutMillis,
    application_name: 'countersign stops a query',
  });
  try {
    await client.connect();
    await client.query('select pg_terminate_backend($1)', [pid]);
  } finally {
    await client.end();
  }
}

/**
 * Uses a cursor: it accepts a single SELECT and nothing that writes, returns as many rows as wanted, and counts the
 * others without sending them. Reading rows may have changed settings, so each statement starts by setting the
 * remaining time.
 */
async function readOnly(client: pg.PoolClient, statement: SqlStatement): Promise<SqlRows> {
  const { limit, timeoutMs } = statement;
  const end = performance.now() + timeoutMs;
  const limitTime = () => {
    const left = Math.max(1, Math.floor(end - performance.now()));
    return client.query(`set local statement_timeout = ${left}`);
  };
  await limitTime();
  await client.query(declaration(statement));
  await limitTime();
  const { fields, rows } = await client.query<unknown[]>({
    text: `fetch ${limit} from answer`,
    rowMode: 'array',
    types: { getTypeParser: parserOf },
  });
  await limitTime();
  const counted = rows.length < limit ? 0 : await countRest(client);
  await client.query('rollback');
  return {
    columns: fields.map(({ name }) => name),
    rows,
    total: rows.length + (counted ?? 0),
    exact: counted !== null,
  };
}

/** Explains the declaration, so that it is refused for the same reasons as the query itself. */
async function explain(client: pg.PoolClient, statement: SqlStatement): Promise<Estimate> {
  await client.query(`set local statement_timeout = ${Math.floor(statement.timeoutMs)}`);
  const { rows } = await client.query<[string]>({
    ...declaration(statement, 'explain (format json) '),
    rowMode: 'array',
    types: { getTypeParser: () => String },
  });
  await client.query('rollback');
  const [whole] = explained.safeParse(parseJson(rows[0]?.[0] ?? '')).data ?? [];
  return { cost: whole?.Plan['Total Cost'] ?? 0, rows: whole?.Plan['Plan Rows'] ?? 0 };
}

/** Only the whole plan: what is below a LIMIT counts rows that are never read. */
const explained = z.array(
  z.object({ Plan: z.object({ 'Total Cost': z.number(), 'Plan Rows': z.number() }) }),
);

/** Extended protocol even without values: the simple one would accept several statements at once. */
function declaration({ text, values }: SqlStatement, before = '') {
  const declare = `${before}declare answer no scroll cursor for ${withoutEnd(text)}`;
  return { text: declare, values: [...values], queryMode: 'extended' };
}

/** Types the driver parses: bool, bytea, date, timestamp and timestamptz. */
const readTypes = new Set([16, 17, 1082, 1114, 1184]);

/** JSON and arrays stay text: as objects, a few megabytes of them take a hundred times as much. */
const parserOf: pg.CustomTypesConfig['getTypeParser'] = (type, format) =>
  readTypes.has(type) ? pg.types.getTypeParser(type, format) : String;

/** Rows beyond the fetched ones, or null when counting them takes too long. */
async function countRest(client: pg.PoolClient): Promise<number | null> {
  try {
    return (await client.query('move forward all from answer')).rowCount ?? 0;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '57014') return null;
    throw error;
  }
}

/** Without the semicolons and comments after a statement, which a cursor's query must not end with. */
function withoutEnd(text: string): string {
  return `${text.trim().replace(/(?<!;);+\s*$/, '')}\n`;
}
