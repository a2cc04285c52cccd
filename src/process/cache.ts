import { LRUCache } from 'lru-cache';

export interface Cache<T> {
  /** The answer to a question that was asked already, also while it is on its way; else asks. */
  of(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

export interface CacheTime {
  /** Milliseconds for which an answer is given again; 0 for not at all. */
  readonly keepMs: number;
  readonly now: () => Date;
}

/** The latest answers. Null and failures are not kept. */
export function createCache<T>(keeping: CacheTime | null): Cache<T> {
  if (keeping?.keepMs === 0) return { of: (_key, ask) => ask(), forget: () => undefined };
  const known = new LRUCache<string, Promise<T>>({ max: 200, ...(keeping && expiryOf(keeping)) });
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

const expiryOf = ({ keepMs, now }: CacheTime) => ({
  ...{ ttl: keepMs, ttlResolution: 0 },
  perf: { now: () => now().getTime() },
});

/** Keeps the latest answers; all of them if they never change once known, such as a card's location. */
export function cached<A extends readonly (string | number)[], T>(
  ask: (...about: A) => Promise<T>,
  keeping: CacheTime | null = null,
): ((...about: A) => Promise<T>) & { readonly forget: (...about: A) => void } {
  const known = createCache<T>(keeping);
  const answerTo = (...about: A): Promise<T> => known.of(about.join('/'), () => ask(...about));
  return Object.assign(answerTo, { forget: (...about: A) => known.forget(about.join('/')) });
}
