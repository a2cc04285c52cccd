import pg from 'pg';
import { StoreError } from './errors.ts';

/** Why a database cannot be used, and what to do, without the password. */
export function unreachable(url: string, cause: unknown): StoreError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  const { host, port, user, database } = new pg.Client({ connectionString: url });
  const at = `${host}:${port}`;
  return new StoreError(
    'database_unreachable',
    words(reason, at, user ?? '', database ?? ''),
    { reason },
    cause,
  );
}

/** Codes of a database that is not there, or does not take connections yet. */
const passing: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P03', '53300', 'no answer'],
]);

/** True for a database that may be there in a moment; false where somebody has to correct something. */
export function mayComeUp(error: unknown): error is StoreError {
  return (
    error instanceof StoreError && error.code === 'database_unreachable' && passing.has(error.facts.reason)
  );
}

function words(reason: string, at: string, user: string, database: string): string {
  switch (reason) {
    case '28P01':
    case '28000':
      return `Postgres at ${at} does not accept ${user} or its password; correct DATABASE_URL or DATABASE_OWNER_URL.`;
    case '3D000':
      return `Postgres at ${at} has no database ${database}; make it with createdb, or correct DATABASE_URL.`;
    case '53300':
      return `Postgres at ${at} has no connection left; raise its max_connections.`;
    default:
      return `The database at ${at} cannot be reached (${reason}); check DATABASE_URL, and that Postgres is up.`;
  }
}
