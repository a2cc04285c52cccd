import pg from 'pg';

/** Open for a moment after each statement: a test that waits asks many times a second. */
const pools = new Map<string, pg.Pool>();

function poolFor(url: string): pg.Pool {
  const known = pools.get(url);
  if (known !== undefined) return known;
  const pool = new pg.Pool({ connectionString: url, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  // Tests drop databases and stop servers; the next statement connects anew.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}

/** Runs one statement on a database and returns its rows. */
export async function rowsOf(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return (await poolFor(url).query(statement, [...values])).rows;
}
