import { VendorError } from '../errors.ts';
import { cut } from '../inert.ts';
import type { BoundQuery } from './bind.ts';

/** What a log system or database gave back. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  /** The first rows, as text. */
  readonly rows: readonly (readonly string[])[];
  /** Rows that there are in all. */
  readonly total: number;
  /** False when there are more than `total`, because not all were looked at. */
  readonly exact: boolean;
}

export interface QueryReader {
  /** At most `limit` rows. Throws a VendorError, or a QueryError when a value cannot be put into the query. */
  run(query: BoundQuery, limit: number, signal: AbortSignal): Promise<QueryAnswer>;
}

/** What is kept of one value. More is shown nowhere, and looking at megabytes would hold everybody up. */
const maxCell = 2_000;

/** A value of a row as text: dates in ISO 8601, what is not there as nothing, of a long one the start. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value), maxCell);
}

/** More came than one answer may have in memory. `advice`: what to ask for instead. */
export function answerTooLarge(source: string, maxBytes: number, advice: string): VendorError {
  const message = `The answer of ${source} is larger than ${maxBytes / 1_000_000} MB, so it was stopped. Ask for ${advice}.`;
  return new VendorError('answer_too_large', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { source },
  });
}
