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
  /** With its password. */
  readonly url: string;
  readonly log: Log;
}

/** One database: a query with its values, put to it so that nothing can be written. */
export interface SqlSession {
  readonly dialect: SqlDialect;
  /** Why its role must not be used, in words; null when it cannot write. Throws a VendorError when it cannot be asked. */
  whyNotSafe(signal: AbortSignal): Promise<string | null>;
  /** `?` or `$1` of a value, from its position. */
  placeholder(position: number): string;
  read(statement: SqlStatement, signal: AbortSignal): Promise<SqlRows>;
  close(): Promise<void>;
}

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly (string | number | Date)[];
  /** Rows that are kept; the others are counted. */
  readonly limit: number;
  readonly timeoutMs: number;
  /** A person wrote it: what it sets or locks in its session must not outlive it. */
  readonly byHand: boolean;
}

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly total: number;
  readonly exact: boolean;
}
