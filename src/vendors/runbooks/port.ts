/** Tools' port for a source of runbooks. */

export interface RunbookQuery {
  /** Words to search for; if empty, everything that matches the rest. */
  readonly words: string;
  readonly service: string | null;
  /** Error code or another exact string. */
  readonly code: string | null;
}

export interface RunbookHit {
  readonly title: string;
  /** Heading of the best section, empty for the beginning. */
  readonly section: string;
  /** Its location: a path below the folder, or a space of the wiki. */
  readonly place: string;
  /** Address of that section, built from the operator's own settings; empty if there is none. */
  readonly address: string;
  /** ISO 8601 of the last change, or null if unknown. */
  readonly changed: string | null;
  /** The beginning of the best section, verbatim. */
  readonly excerpt: string;
}

export interface RunbookSource {
  /** Best first. `total` counts all matching runbooks, including those not listed. */
  search(
    query: RunbookQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ readonly total: number; readonly hits: readonly RunbookHit[] }>;
  /**
   * The runbook for the problem in a text, by its service or a code; null if none clearly matches. Absent where not all
   * runbooks are in memory.
   */
  about?(text: string, services: readonly string[]): Promise<RunbookHit | null>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    /** Every configured source; a search asks all of them. */
    readonly runbooks: readonly RunbookSource[];
  }
}
