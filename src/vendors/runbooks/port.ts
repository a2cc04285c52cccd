/** What tools may ask of a place that keeps runbooks. */

export interface RunbookQuery {
  /** Words to look for; with none, everything that fits the rest. */
  readonly words: string;
  readonly service: string | null;
  /** Error code or another exact string. */
  readonly code: string | null;
}

export interface RunbookHit {
  readonly title: string;
  /** Heading of the best part, empty when that is the beginning. */
  readonly section: string;
  /** Where it is kept: a path below the folder, or a space of the wiki. */
  readonly place: string;
  /** Address of that part, made from the operator's own settings; empty when there is none. */
  readonly address: string;
  /** ISO 8601 of the last change, or null when it is not known. */
  readonly changed: string | null;
  /** The beginning of the best part, as it is written. */
  readonly excerpt: string;
}

export interface RunbookSource {
  /** Best first. `total` counts runbooks, also those that are not listed. */
  search(
    query: RunbookQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ readonly total: number; readonly hits: readonly RunbookHit[] }>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    /** Every place that is set up; a search asks all of them. */
    readonly runbooks: readonly RunbookSource[];
  }
}
