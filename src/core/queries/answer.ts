import { cut } from '../clean-text.ts';
import { VendorError } from '../errors.ts';
import type { BoundQuery } from './bind.ts';
import type { ListedTables, SourceTable } from './tables.ts';

/** The answer of a log system or database. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  /** The first rows, as text. */
  readonly rows: readonly (readonly string[])[];
  /** Total number of rows. */
  readonly total: number;
  /** False when there are more than `total`, because not all were examined. */
  readonly exact: boolean;
}

export interface QueryReader {
  /** At most `limit` rows. Throws a VendorError, or a QueryError when a value does not fit the query. */
  run(query: BoundQuery, limit: number, signal: AbortSignal): Promise<QueryAnswer>;
  /** Asks whether the query would run, without reading anything. Throws as `run` does where it would not. */
  check(query: BoundQuery, signal: AbortSignal): Promise<void>;
  /** Its tables as far as the operator lists them, each with its fields. Throws as `run` does. */
  tables(listed: ListedTables, now: Date, signal: AbortSignal): Promise<SourceTable[]>;
}

/** The finite values of one series, oldest first. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly { readonly at: Date; readonly value: number }[];
  /** The value at the end of the asked time; null when the series has none there, or one that is not a number. */
  readonly last: number | null;
}

export interface MetricAnswer {
  readonly series: readonly Series[];
  /** True when there are more series than these. */
  readonly more: boolean;
  /** Seconds between two points; null for values of one moment. */
  readonly stepSeconds: number | null;
  /** Warnings of the server, and what it left out; empty for none. */
  readonly notes: readonly string[];
}

export interface MetricsReader {
  /** Throws a VendorError, or a QueryError when a value does not fit the query. */
  read(query: BoundQuery, signal: AbortSignal): Promise<MetricAnswer>;
  /** As of a QueryReader. */
  check: QueryReader['check'];
}

/** Characters kept of one value. More is never shown, and scanning megabytes would hold everybody up. */
const maxCell = 2_000;

/** A row's value as text: dates in ISO 8601, missing values empty, long ones truncated. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `${value.length} bytes`;
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value), maxCell);
}

/** The answer exceeds the memory limit. `advice`: what to ask for instead. */
export function answerTooLarge(source: string, maxBytes: number, advice: string): VendorError {
  const message = `The answer of ${source} is larger than ${maxBytes / 1_000_000} MB, so it was stopped. Ask for ${advice}.`;
  return new VendorError('answer_too_large', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { source },
  });
}
