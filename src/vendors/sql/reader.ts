import type { Log } from '../../core/log.ts';
import { cellText, type QueryReader } from '../../core/queries/answer.ts';
import { type BoundQuery, QueryError } from '../../core/queries/bind.ts';
import { writeQuery } from '../../core/queries/template.ts';
import { sqlError, tooCostly, unsafeRole } from './errors.ts';
import { mustOnlyRead } from './guard.ts';
import { openMysql } from './mysql.ts';
import type { DatabaseAddress, Estimate, SqlSession, SqlStatement } from './port.ts';
import { openPostgres } from './postgres.ts';
import { tablesOf } from './tables.ts';

export interface DatabasesOptions {
  /** Connection strings with passwords, by the operator's names. */
  readonly urls: ReadonlyMap<string, string>;
  /** The most that a query may be expected to cost and return when it is checked; anything for a name that is missing. */
  readonly bounds?: ReadonlyMap<string, Estimate>;
  /** A query that takes longer is stopped. */
  readonly timeoutMs: number;
  readonly log: Log;
}

/** Milliseconds for the plan of a query, which the database makes without running it. */
const checkMs = 3_000;

interface Database {
  readonly name: string;
  readonly session: SqlSession;
  readonly secrets: readonly string[];
  /** Its role was checked, and cannot write. */
  safe: boolean;
}

/** `code` and `why` describe the problem with a database's role; null when it can only read. */
interface RoleState {
  readonly name: string;
  readonly code: string | null;
  readonly why: string | null;
}

export interface Databases extends QueryReader {
  /** Checks every role, and logs which may not be used. Never throws. */
  checkRoles(): Promise<void>;
  /** Checks every role. Never throws. */
  roles(): Promise<RoleState[]>;
  close(): Promise<void>;
}

/** The operator's databases. No query is sent before the role was found to be read-only. */
export function openDatabases({ urls, bounds, timeoutMs, log }: DatabasesOptions): Databases {
  const databases = new Map([...urls].map(([name, url]) => [name, open({ name, url, log })]));
  const roles = () => Promise.all([...databases.values()].map(lookAtRole));
  const asked = async <T>(
    { source }: Pick<BoundQuery, 'source'>,
    signal: AbortSignal,
    ask: (database: Database) => Promise<T>,
  ): Promise<T> => {
    const database = pick(databases, source);
    try {
      await mustBeSafe(database, signal);
      return await ask(database);
    } catch (error) {
      if (error instanceof QueryError) throw error;
      throw sqlError(error, database.name, database.secrets);
    }
  };
  return {
    run: (query, limit, signal) =>
      asked(query, signal, async ({ session }) => {
        const answer = await session.read(statementOf(session, query, { limit, timeoutMs }), signal);
        return { ...answer, rows: answer.rows.map((row) => row.map(cellText)) };
      }),
    check: (query, signal) =>
      asked(query, signal, async ({ name, session }) => {
        const statement = statementOf(session, query, { limit: 1, timeoutMs: checkMs });
        const expected = await session.estimate(statement, signal);
        const max = bounds?.get(name);
        if (max && (expected.cost > max.cost || expected.rows > max.rows))
          throw tooCostly(name, expected, max);
      }),
    tables: (listed, _now, signal) =>
      asked(listed, signal, ({ session }) => tablesOf(session, listed, signal)),
    async checkRoles() {
      for (const state of await roles()) logRole(state, log);
    },
    roles,
    async close() {
      await Promise.all([...databases.values()].map(({ session }) => session.close()));
    },
  };
}

function open(address: DatabaseAddress): Database {
  const { name, url } = address;
  const { password, protocol } = new URL(url);
  const session = protocol === 'mysql:' ? openMysql(address) : openPostgres(address);
  return { name, session, secrets: [url, password, decodeURIComponent(password)], safe: false };
}

function pick(databases: ReadonlyMap<string, Database>, source: string | null): Database {
  const [only, other] = databases.values();
  const found = source === null ? (other === undefined ? only : undefined) : databases.get(source);
  if (found) return found;
  const names = [...databases.keys()].join(', ');
  throw new QueryError(
    'query_source',
    `Which database is meant? There are ${names}; say which with database=….`,
  );
}

async function mustBeSafe(database: Database, signal: AbortSignal): Promise<void> {
  if (database.safe) return;
  const why = await database.session.whyNotSafe(signal);
  if (why !== null) throw unsafeRole(database.name, why);
  database.safe = true;
}

async function lookAtRole(database: Database): Promise<RoleState> {
  const { name } = database;
  try {
    await mustBeSafe(database, AbortSignal.timeout(10_000));
    return { name, code: null, why: null };
  } catch (error) {
    const { code, message } = sqlError(error, name, database.secrets);
    return { name, code, why: message };
  }
}

function logRole({ name, code, why }: RoleState, log: Log): void {
  const facts = { database: name, ...(why === null ? {} : { why }) };
  if (code === null) log.info(facts, 'The role of a database can only read');
  else if (code === 'role_can_write')
    log.error(facts, 'A database is switched off, because its role can write');
  else log.info(facts, 'Could not check a database role; it is checked before the first query');
}

function statementOf(
  session: SqlSession,
  { text, template, values, from, to }: BoundQuery,
  bounds: Pick<SqlStatement, 'limit' | 'timeoutMs'>,
): SqlStatement {
  const byHand = template === null;
  if (byHand) mustOnlyRead(text, session.dialect);
  const all: Readonly<Record<string, string | number | Date>> = { ...values, from, to };
  const given: (string | number | Date)[] = [];
  const write = (name: string): string => {
    given.push(all[name] ?? '');
    return session.placeholder(given.length);
  };
  // A brace in a person's query is just a brace.
  return { text: byHand ? text : writeQuery(text, write), values: given, byHand, ...bounds };
}
