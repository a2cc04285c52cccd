import { LRUCache } from 'lru-cache';

export interface Answers<T> {
  /** The answer to a question that was asked already, also while it is on its way; else asks. */
  of(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

export interface Keeping {
  /** Milliseconds for which an answer is given again; 0 for not at all. */
  readonly keepMs: number;
  readonly now: () => Date;
}

/** The latest answers. Null and failures are not kept. */
export function answers<T>(keeping: Keeping | null): Answers<T> {
  if (keeping?.keepMs === 0) return { of: (_key, ask) => ask(), forget: () => undefined };
  const known = new LRUCache<string, Promise<T>>({ max: 200, ...(keeping && expiring(keeping)) });
  return {
    of(key, ask) {
      const before = known.get(key);
      if (before !== undefined) return before;
      const answer = ask();
      known.set(key, answer);
      const forget = () => void (known.peek(key) === answer && known.delete(key));
      answer.then((found) => found === null && forget(), forget);
      return answer;
    },
    forget: (key) => void known.delete(key),
  };
}

const expiring = ({ keepMs, now }: Keeping) => ({
  ...{ ttl: keepMs, ttlResolution: 0 },
  perf: { now: () => now().getTime() },
});

/** Keeps the latest answers; all of them if they never change once known, such as a card's location. */
export function remembered<A extends readonly (string | number)[], T>(
  ask: (...about: A) => Promise<T>,
  keeping: Keeping | null = null,
): ((...about: A) => Promise<T>) & { readonly forget: (...about: A) => void } {
  const known = answers<T>(keeping);
  const answerTo = (...about: A): Promise<T> => known.of(about.join('/'), () => ask(...about));
  return Object.assign(answerTo, { forget: (...about: A) => known.forget(about.join('/')) });
}
