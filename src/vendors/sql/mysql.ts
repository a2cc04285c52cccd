import type { Pool, PoolConnection, RowDataPacket } from 'mysql2';
import type { SqlRows, SqlSession, SqlStatement } from './port.ts';

const maxConnections = 3;
/** Privileges that let nobody change anything. */
const harmless = new Set([
  'select',
  'usage',
  'show view',
  'show databases',
  'show_routine',
  'process',
  'replication client',
]);

/** A MySQL or MariaDB database under a role that only reads. The driver is loaded by the first question to one. */
export function openMysql(url: string): SqlSession {
  let opened: Promise<Pool> | null = null;
  const pool = (): Promise<Pool> => {
    opened ??= openPool(url);
    return opened;
  };
  return {
    placeholder: () => '?',
    async close() {
      if (opened !== null) await (await opened).promise().end();
    },
    async whyNotSafe() {
      const [rows] = await (await pool())
        .promise()
        .query<RowDataPacket[][]>('show grants for current_user()');
      return whyGrantsAreUnsafe(rows.map(([grant]) => String(grant)));
    },
    async read(statement, signal) {
      const connection = await connectionOf(await pool());
      try {
        const rows = await orLeft(readOnly(connection, statement), signal);
        if (statement.byHand) connection.destroy();
        else connection.release();
        return rows;
      } catch (error) {
        connection.destroy();
        throw error;
      }
    },
  };
}

async function openPool(url: string): Promise<Pool> {
  const { createPool } = await import('mysql2');
  return createPool({
    uri: url,
    connectionLimit: maxConnections,
    connectTimeout: 5_000,
    multipleStatements: false,
    dateStrings: true,
    rowsAsArray: true,
    // A number that JavaScript would round comes as text.
    supportBigNumbers: true,
    // Files of this machine never go to a server that asks for them.
    flags: ['-LOCAL_FILES'],
  });
}

function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, got) => (error ? reject(error) : resolve(got)));
  });
}

/** Why grants, as MySQL lists them, let a role write; null when they do not. Roles that were granted count as unknown. */
export function whyGrantsAreUnsafe(grants: readonly string[]): string | null {
  for (const grant of grants) {
    const listed = /^GRANT (.+?) ON /is.exec(grant)?.[1];
    if (listed === undefined) return `its role has a grant that cannot be judged: ${grant.slice(0, 120)}.`;
    const names = listed.replaceAll(/\([^()]*\)/g, '').split(',');
    const writes = names.map((name) => name.trim().toLowerCase()).find((name) => !harmless.has(name));
    if (writes !== undefined) return `its role has ${writes.toUpperCase()}.`;
    if (/WITH GRANT OPTION/i.test(grant)) return 'its role may pass its rights on.';
  }
  return null;
}

/** A connection that is destroyed tells nobody who waits for its answer. */
async function orLeft<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(new Error('timeout: it did not answer, and the connection was closed'));
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (signal.aborted) leave();
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** MySQL counts milliseconds, MariaDB seconds under a name of its own; each takes the other's part for a comment. */
function timeLimit(ms: number): string {
  return `set session /*!50704 max_execution_time = ${Math.floor(ms)} *//*M! max_statement_time = ${ms / 1000} */`;
}

async function readOnly(connection: PoolConnection, statement: SqlStatement): Promise<SqlRows> {
  const session = connection.promise();
  await session.query(timeLimit(statement.timeoutMs));
  await session.query('start transaction read only');
  const rows = await fetchRows(connection, statement);
  await session.query('rollback');
  return rows;
}

/** As a prepared statement, whose values never meet its text. Rows behind the limit are counted as they come by. */
function fetchRows(connection: PoolConnection, { text, values, limit }: SqlStatement): Promise<SqlRows> {
  return new Promise((resolve, reject) => {
    const rows: unknown[][] = [];
    let [columns, total]: [string[], number] = [[], 0];
    connection
      .execute(text.trim().replace(/(?<!;);+\s*$/, ''), [...values])
      .on('error', reject)
      .on('fields', (fields: { name: string }[]) => {
        columns = fields.map(({ name }) => name);
      })
      .on('result', (row: unknown) => {
        total += 1;
        if (rows.length < limit && Array.isArray(row)) rows.push(row);
      })
      .on('end', () => resolve({ columns, rows, total, exact: true }));
  });
}
