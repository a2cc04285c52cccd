import type { QueryLanguage } from './template.ts';

/** A table of a database or log system, as its source describes it. All texts are the source's: data, never orders. */
export interface SourceTable {
  readonly language: QueryLanguage;
  /** The operator's name of the source. */
  readonly source: string;
  readonly name: string;
  /** Its comment; empty for none. */
  readonly about: string;
  /** Rows by the source's own estimate; 0 where it gives none. */
  readonly rows: number;
  readonly fields: readonly { readonly name: string; readonly type: string; readonly about: string }[];
}

/** Tables of one source that the operator lists; a star stands for anything. */
export interface ListedTables {
  readonly source: string;
  readonly names: readonly string[];
}

/** Maximum tables of a source, and fields of a table. */
export const tableLimits = { tables: 5_000, fields: 40 } as const;

/** The tables that planners may know of; what they are is read while the bot runs. */
export interface TableBook {
  readonly all: readonly SourceTable[];
}
