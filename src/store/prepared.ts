import type pg from 'pg';

/** Statements that are kept prepared on a connection; what comes beyond that is parsed each time. */
const maxPrepared = 120;
/** Texts that are remembered, with all that was asked only once. */
const maxTexts = 1_000;
/** A moment that stands in a statement: tomorrow it is another statement. */
const aboutOneMoment = /'\d{4}-\d\d-\d\dT[^']*'::timestamptz/;

/** What was asked before, and the names of what is prepared. A name means the same on every connection. */
export class StatementNames {
  /** By text; null for what was asked once, and for what must not be prepared any more. */
  readonly #names = new Map<string, string | null>();
  readonly #stale = new Set<string>();
  /** How many have a name. */
  #count = 0;

  /** Null for what is parsed each time. */
  of(text: string): string | null {
    if (aboutOneMoment.test(text)) return null;
    const known = this.#names.get(text);
    if (known !== undefined && known !== null) return known;
    const isNew = known === undefined;
    if (isNew && this.#names.size < maxTexts) this.#names.set(text, null);
    if (isNew || this.#count === maxPrepared || this.#stale.has(text)) return null;
    this.#count += 1;
    const name = `countersign_${this.#count}`;
    this.#names.set(text, name);
    return name;
  }

  /** A newer bot has changed the tables under what was prepared: whoever asks again gets what is there now. */
  forget(text: string): void {
    this.#names.set(text, null);
    this.#stale.add(text);
  }
}

const ofThisProcess = new StatementNames();

/**
 * Sends a statement so that Postgres parses it once for each connection, from the second time on, and plans it anew
 * only where one plan for all values would cost more.
 */
export function prepared<T>(
  text: string,
  values: readonly unknown[],
  send: (query: pg.QueryConfig) => Promise<T>,
  names = ofThisProcess,
): Promise<T> {
  const name = names.of(text);
  const sent = send({ ...(name === null ? {} : { name }), text, values: [...values] });
  sent.catch((error: unknown) => {
    if (isStale(error)) names.forget(text);
  });
  return sent;
}

export function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '0A000';
}
