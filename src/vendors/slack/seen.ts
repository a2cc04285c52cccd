/**
 * Remembers what has been taken, so that retries and replays do nothing. Slack repeats an event within minutes and a
 * signature holds for five on either side, so ten minutes are enough; what must hold longer is decided in the store.
 */
export class Seen {
  readonly #now: () => number;
  readonly #keepMs: number;
  readonly #max: number;
  readonly #until = new Map<string, number>();

  constructor(now: () => number, keepMs = 10 * 60_000, max = 50_000) {
    this.#now = now;
    this.#keepMs = keepMs;
    this.#max = max;
  }

  /** True for the first that comes with this key. */
  first(key: string): boolean {
    const now = this.#now();
    for (const [old, until] of this.#until) {
      if (until > now && this.#until.size <= this.#max) break;
      this.#until.delete(old);
    }
    if (this.#until.has(key)) return false;
    this.#until.set(key, now + this.#keepMs);
    return true;
  }
}
