import type pg from 'pg';

/** Statements that are kept prepared on a connection; what comes beyond that is parsed each time. */
const maxPrepared = 120;
/** Texts that are remembered, with all that was asked only once. */
const maxTexts = 1_000;
/** Names by text; null for what was asked once, and for what must not be prepared any more. */
const names = new Map<string, string | null>();
const stale = new Set<string>();
/** How many have a name. */
let count = 0;

/**
 * Sends a statement so that Postgres parses it once for each connection, from the second time on, and plans it anew
 * only where one plan for all values would cost more.
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

/** A moment that stands in a statement: tomorrow it is another statement. */
const aboutOneMoment = /'\d{4}-\d\d-\d\dT[^']*'::timestamptz/;

function nameOf(text: string): string | null {
  if (aboutOneMoment.test(text)) return null;
  const known = names.get(text);
  if (known !== undefined && known !== null) return known;
  const isNew = known === undefined;
  if (isNew && names.size < maxTexts) names.set(text, null);
  if (isNew || count === maxPrepared || stale.has(text)) return null;
  count += 1;
  const name = `countersign_${count}`;
  names.set(text, name);
  return name;
}

/** A newer bot has changed the tables under what was prepared: whoever asks again gets what is there now. */
function forgetStale(text: string, error: unknown): void {
  if (!isStale(error)) return;
  names.set(text, null);
  stale.add(text);
}

export function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '0A000';
}
