/** Tools' port for the operator's catalogue of known errors. */

export interface KnownError {
  readonly code: string;
  /** Its meaning, in a sentence or two. */
  readonly meaning: string;
  readonly cause: string;
  /** How to act on it. */
  readonly advice: string;
  /** Words of a log line that shows it: `*` matches anything. */
  readonly signatures: readonly string[];
  /** Location of its runbook, according to the catalogue. */
  readonly runbook: string;
}

export interface ErrorCatalogue {
  /** Known errors with that code, else those whose signature is in the text; and similar codes. */
  lookUp(
    said: string,
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly KnownError[]; readonly near: readonly string[] }>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly errors: ErrorCatalogue;
  }
}
