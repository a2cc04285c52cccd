import type pg from 'pg';

/** Statements that are kept prepared on a connection; what comes beyond that is parsed each time. */
const maxPrepared = 100;
/** Names by text; null for what must not be prepared any more. */
const names = new Map<string, string | null>();

/**
 * Sends a statement so that Postgres parses and plans it once for each connection. For statements that find their rows
 * by a key: one plan for all values must be the right one.
 */
export function prepared<T>(
  text: string,
  values: readonly unknown[],
  send: (query: pg.QueryConfig) => Promise<T>,
): Promise<T> {
  const name = nameOf(text);
  const sent = send({ ...(name === null ? {} : { name }), text, values: [...values] });
  sent.catch((error: unknown) => forgetStale(text, error));
  return sent;
}

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = names.size < maxPrepared ? `countersign_${names.size + 1}` : null;
  if (name !== null) names.set(text, name);
  return name;
}

/** A newer bot has changed the tables under what was prepared: whoever asks again gets what is there now. */
function forgetStale(text: string, error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === '0A000') names.set(text, null);
}
