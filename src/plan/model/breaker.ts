/** Keeps calls away from something that is down, and tries it again now and then. */
export interface Breaker {
  /** True when a call may be made; while half open, true for one caller only. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
}

/**
 * Opens after `failures` failures in a row; after `coolMs` milliseconds lets one call try, whose outcome closes or
 * opens it again. `clock` gives milliseconds and only goes forward.
 */
export function createBreaker(options: {
  readonly failures: number;
  readonly coolMs: number;
  readonly clock: () => number;
}): Breaker {
  let inARow = 0;
  let openedAt: number | null = null;
  let trialAt: number | null = null;
  return {
    allows() {
      const now = options.clock();
      if (openedAt === null) return true;
      // A trial that never reported back (its caller died) is forgotten after another pause.
      const since = trialAt ?? openedAt;
      if (now - since < options.coolMs) return false;
      trialAt = now;
      return true;
    },
    succeeded() {
      inARow = 0;
      openedAt = null;
      trialAt = null;
    },
    failed() {
      inARow += 1;
      trialAt = null;
      if (inARow >= options.failures) openedAt = options.clock();
    },
  };
}
