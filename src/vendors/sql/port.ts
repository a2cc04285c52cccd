import type { Log } from '../../core/log.ts';
import type { QueryReader } from '../../core/queries/answer.ts';

declare module '../../core/ports.ts' {
  interface Readers {
    readonly databases: QueryReader;
  }
}

export type SqlDialect = 'postgres' | 'mysql';

export interface DatabaseAddress {
  /** The operator's name for it. */
  readonly name: string;
  /** Includes its password. */
  readonly url: string;
  readonly log: Log;
}

/** One database: runs a query with its values so that nothing can be written. */
export interface SqlSession {
  readonly dialect: SqlDialect;
  /** Why its role must not be used, in words; null when it cannot write. Throws a VendorError when that cannot be checked. */
  whyNotSafe(signal: AbortSignal): Promise<string | null>;
  /** `?` or `$1` for a value, by its position. */
  placeholder(position: number): string;
  read(statement: SqlStatement, signal: AbortSignal): Promise<SqlRows>;
  /** The database's guess of what a statement costs and returns; it is not run. */
  estimate(statement: SqlStatement, signal: AbortSignal): Promise<Estimate>;
  close(): Promise<void>;
}

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly (string | number | Date)[];
  /** Rows kept; the others are counted. */
  readonly limit: number;
  readonly timeoutMs: number;
  /** Written by a person: its session settings and locks must not outlive it. */
  readonly byHand: boolean;
}

/** The database's own figures; zero where it gives none. `cost` is in its own units. */
export interface Estimate {
  readonly cost: number;
  readonly rows: number;
}

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly total: number;
  readonly exact: boolean;
}
