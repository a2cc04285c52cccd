import type { Need } from './blank.ts';
import type { JsonObject } from './json.ts';

/**
 * Base of all our errors. `code` is stable and tells errors apart (never the text), `facts` may be logged and
 * shown, so no secret goes in there, and `message` says what is wrong and what to do about it.
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

/** A vendor could not be asked or said no. A write is tried again only when `retryable` and certainly not made. */
export class VendorError extends CountersignError {
  readonly retryable: boolean;
  /** Milliseconds the vendor asked us to wait (Retry-After), when it did. */
  readonly retryAfterMs: number | undefined;
  /** False when it is certain that a write did not happen; true when it may have. */
  readonly mayHaveHappened: boolean;
  /** Our credentials are not accepted: the same call works once somebody has put them right. */
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

/** The code and message of anything thrown, for rows and messages. Unknown errors keep only their text. */
export function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message };
  if (error instanceof Error) return { code: 'internal', message: error.message };
  return { code: 'internal', message: String(error) };
}
