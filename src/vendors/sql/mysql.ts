import { Duplex } from 'node:stream';
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2';
import { z } from 'zod';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { type ByteMeter, maxCountedBytes, withinLimits } from './limits.ts';
import type { DatabaseAddress, Estimate, SqlRows, SqlSession, SqlStatement } from './port.ts';

const maxConnections = 3;
const connectionTimeoutMs = 5_000;
/** Privileges that do not allow changes. */
const harmless = new Set([
  'select',
  'usage',
  'show view',
  'show databases',
  'show_routine',
  'process',
  'replication client',
]);

/** A MySQL or MariaDB database with a read-only role. The driver is loaded with the first query. */
export function openMysql({ name: source, url, log }: DatabaseAddress): SqlSession {
  let opened: Promise<Pool> | null = null;
  const pool = (): Promise<Pool> => {
    opened ??= openPool(url);
    return opened;
  };
  return {
    dialect: 'mysql',
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
    async estimate(statement, signal) {
      const { rows } = await this.read(
        { ...statement, text: `explain format=json ${statement.text}`, limit: 1 },
        signal,
      );
      return estimateIn(String(rows[0]?.[0] ?? ''));
    },
    async read(statement, signal) {
      const connection = await connectionOf(await pool());
      const stop = (): void => {
        connection.destroy();
        killQuery(url, connection.threadId).catch((error: unknown) => {
          log.warn({ database: source, ...describeError(error) }, 'Could not stop a query at its database');
        });
      };
      const { timeoutMs } = statement;
      try {
        const limits = { source, timeoutMs, signal, stream: streamOf(connection), stop };
        const rows = await withinLimits(limits, (meter) => readOnly(connection, statement, meter, stop));
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

const explained = z.object({
  query_block: z
    .object({
      cost_info: z.object({ query_cost: z.coerce.number() }).optional(),
      cost: z.number().optional(),
    })
    .optional(),
  query_plan: z.object({ estimated_total_cost: z.number(), estimated_rows: z.number() }).optional(),
});

/** MySQL, its newer format, or MariaDB. Only the newer format says how many rows the whole query returns. */
function estimateIn(json: string): Estimate {
  const { query_block: block, query_plan: plan } = explained.safeParse(parseJson(json)).data ?? {};
  const cost = plan?.estimated_total_cost ?? block?.cost_info?.query_cost ?? block?.cost ?? 0;
  return { cost, rows: plan?.estimated_rows ?? 0 };
}

async function openPool(url: string): Promise<Pool> {
  const { createPool } = await import('mysql2');
  return createPool({
    uri: url,
    connectionLimit: maxConnections,
    connectTimeout: connectionTimeoutMs,
    multipleStatements: false,
    dateStrings: true,
    rowsAsArray: true,
    // Numbers that JavaScript would round are returned as text.
    supportBigNumbers: true,
    // As objects, a few megabytes of JSON take a hundred times as much.
    jsonStrings: true,
    // Files of this machine are never sent to a server that requests them.
    flags: ['-LOCAL_FILES'],
  });
}

function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, got) => (error ? reject(error) : resolve(got)));
  });
}

/** Why MySQL's list of grants lets a role write; null if it does not. Granted roles count as unknown. */
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

/** A connection's stream, which the driver's types leave out. */
function streamOf(connection: PoolConnection): Duplex {
  const stream: unknown = Reflect.get(connection, 'stream');
  if (stream instanceof Duplex) return stream;
  throw new TypeError('the MySQL driver has no stream whose bytes can be counted');
}

/** A server only notices a query's closed connection when it has something to send. */
async function killQuery(url: string, threadId: number): Promise<void> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: url, connectTimeout: connectionTimeoutMs });
  try {
    await connection.query({ sql: `kill ${Math.floor(threadId)}`, timeout: connectionTimeoutMs });
  } finally {
    connection.destroy();
  }
}

/** MySQL counts milliseconds, MariaDB seconds under another name; each treats the other's part as a comment. */
function timeLimit(ms: number): string {
  return `set session /*!50704 max_execution_time = ${Math.floor(ms)} *//*M! max_statement_time = ${ms / 1000} */`;
}

async function readOnly(
  connection: PoolConnection,
  statement: SqlStatement,
  meter: ByteMeter,
  stop: () => void,
): Promise<SqlRows> {
  const session = connection.promise();
  await session.query(timeLimit(statement.timeoutMs));
  await session.query('start transaction read only');
  const rows = await fetchRows(connection, statement, meter);
  if (rows.exact) await session.query('rollback');
  else stop();
  return rows;
}

/** As a prepared statement, whose values never become part of its text. Rows beyond the limit are counted as they arrive. */
function fetchRows(
  connection: PoolConnection,
  { text, values, limit }: SqlStatement,
  meter: ByteMeter,
): Promise<SqlRows> {
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
        else meter.held = 0;
        if (meter.seen > maxCountedBytes) resolve({ columns, rows, total, exact: false });
      })
      .on('end', () => resolve({ columns, rows, total, exact: true }));
  });
}
