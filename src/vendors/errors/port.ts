/** What tools may ask of the operator's catalogue of known errors. */

export interface KnownError {
  readonly code: string;
  /** What it means, in a sentence or two. */
  readonly meaning: string;
  readonly cause: string;
  /** What to do about it. */
  readonly advice: string;
  /** Words of a log line that it shows in: `*` stands for anything. */
  readonly signatures: readonly string[];
  /** Where its runbook is kept, as the catalogue says. */
  readonly runbook: string;
}

export interface ErrorCatalogue {
  /** Known errors of that code, else those whose signature is in the text; and codes that look like it. */
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
