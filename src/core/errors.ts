import type { JsonObject } from './json.ts';
import type { Need } from './missing-input.ts';

/**
 * Base of all our errors. `code` is stable and identifies the error (never match on the text), `facts` may be logged
 * and shown, so keep secrets out, and `message` says what is wrong and what to do about it.
 */
export class CountersignError extends Error {
  readonly code: string;
  readonly facts: JsonObject;

  constructor(code: string, message: string, facts: JsonObject = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.facts = facts;
  }

  toJSON(): JsonObject {
    return { code: this.code, message: this.message, facts: this.facts };
  }
}

/** A vendor was unreachable or refused. A write is retried only when it is `retryable` and certainly did not happen. */
export class VendorError extends CountersignError {
  readonly retryable: boolean;
  /** Milliseconds the vendor asked us to wait (Retry-After), when it did. */
  readonly retryAfterMs: number | undefined;
  /** False when the write certainly did not happen; true when it may have. */
  readonly mayHaveHappened: boolean;
  /** The vendor rejects our credentials; the same call works once someone fixes them. */
  readonly refusesUs: boolean;

  constructor(
    code: string,
    message: string,
    about: {
      retryable: boolean;
      mayHaveHappened: boolean;
      refusesUs?: boolean;
      retryAfterMs?: number;
      facts?: JsonObject;
      cause?: unknown;
    },
  ) {
    super(code, message, about.facts ?? {}, about.cause);
    this.retryable = about.retryable;
    this.mayHaveHappened = about.mayHaveHappened;
    this.refusesUs = about.refusesUs ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** A vendor cannot take a write as it is, however often it is tried. Nothing was written. */
export class ArgumentRefused extends VendorError {
  constructor(code: string, message: string, vendor: string) {
    super(code, message, { retryable: false, mayHaveHappened: false, facts: { vendor } });
  }
}

/** The same where it lacks an argument that a person can be asked for. */
export class ArgumentNeeded extends ArgumentRefused {
  readonly need: Need;

  constructor(code: string, message: string, need: Need, vendor: string) {
    super(code, message, vendor);
    this.need = need;
  }
}

/** The code and message of anything thrown, for storage and display. Unknown errors keep only their text. */
export function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message };
  if (error instanceof Error) return { code: 'internal', message: error.message };
  return { code: 'internal', message: String(error) };
}
