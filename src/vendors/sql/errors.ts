import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import { thousands } from '../../core/numbers.ts';
import type { Estimate } from './port.ts';

/** The database role could write, so no query is sent. */
export function unsafeRole(source: string, why: string): VendorError {
  const message = `The database ${source} is not asked: ${why} Give the bot a role that can only read.`;
  return new VendorError('role_can_write', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { source },
  });
}

/** The database did not stop a query at its time limit. */
export function tooSlow(source: string): VendorError {
  return new VendorError('query_slow', `${slowQuery} (${source}).`, {
    retryable: false,
    mayHaveHappened: false,
    facts: { source },
  });
}

/** By the database's own estimate the query reads or returns more than the operator allows. */
export function tooCostly(source: string, expected: Estimate, most: Estimate): VendorError {
  const words = ({ cost, rows }: Estimate) => `${thousands(Math.round(cost))} and ${thousands(rows)} rows`;
  const message = `The database ${source} expects the query to cost ${words(expected)}; at most ${words(most)} are allowed. Narrow it, such as by time.`;
  return new VendorError('query_costly', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { source, ...expected },
  });
}

interface DriverError {
  readonly code: string;
  readonly message: string;
}

function driverError(error: unknown): DriverError {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown };
  return { code: String(code ?? errno ?? ''), message: error.message };
}

const slowQuery = 'The query took too long and was stopped';

/** Codes of both drivers, and their meaning for people. MariaDB's own errors (1969: out of time) only have numbers. */
const refusals: readonly (readonly [codes: readonly string[], code: string, sentence: string])[] = [
  [['57014', 'ER_QUERY_TIMEOUT', 'ER_QUERY_INTERRUPTED', '1969'], 'query_slow', slowQuery],
  [
    [
      '42501',
      'ER_TABLEACCESS_DENIED_ERROR',
      'ER_COLUMNACCESS_DENIED_ERROR',
      'ER_SPECIFIC_ACCESS_DENIED_ERROR',
    ],
    'forbidden',
    'The role of the bot may not read that',
  ],
  [
    ['25006', 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'],
    'read_only',
    'The statement would write, and nothing is written here',
  ],
  [
    ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR'],
    'token_invalid',
    'The database does not accept the bot’s password',
  ],
  [['22P02', '22007', '22008', '22003'], 'query_value', 'A value of the query is not what its column holds'],
  [['3D000', 'ER_BAD_DB_ERROR'], 'not_found', 'The database does not exist'],
];
const unreachable = /^(E[A-Z]+|08\w{3}|57P0\d|53\d{3}|PROTOCOL_\w+|ER_CON_COUNT_ERROR)$/;

/** The VendorError for a driver's error. Its message never contains values of the query. */
export function sqlError(error: unknown, source: string, secrets: readonly string[]): VendorError {
  if (error instanceof VendorError) return error;
  const { code, message } = driverError(error);
  const bare = secrets.reduce(
    (text, secret) => (secret === '' ? text : text.replaceAll(secret, '[secret]')),
    message,
  );
  const about = { mayHaveHappened: false, facts: { source, reason: code }, cause: error };
  const known = refusals.find(([codes]) => codes.includes(code));
  if (known)
    return new VendorError(known[1], `${known[2]} (${source}): ${cut(oneLine(bare), 300)}`, {
      ...about,
      retryable: false,
    });
  if (code === '' || unreachable.test(code) || /terminat|closed|timeout/i.test(message)) {
    return new VendorError(
      'unreachable',
      `The database ${source} cannot be reached: ${cut(oneLine(bare), 300)}`,
      { ...about, retryable: true },
    );
  }
  return new VendorError(
    'refused',
    `The database ${source} did not accept the query: ${cut(oneLine(bare), 300)}`,
    { ...about, retryable: false },
  );
}
