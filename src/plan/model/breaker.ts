/** Blocks calls to a failing service, and tries it again now and then. */
export interface Breaker {
  /** True when a call is allowed; while half open, only for one caller. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
}

/**
 * Opens after `failures` consecutive failures; after `coolMs` milliseconds allows one trial call, whose outcome closes
 * or reopens it. `clock` returns monotonic milliseconds.
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
      // A trial that never reported back (its caller died) is dropped after another pause.
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
