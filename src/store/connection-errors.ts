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
