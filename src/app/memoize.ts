import { LRUCache } from 'lru-cache';

/** Caches the latest answers that never change once known, such as a card's location. Null is not cached. */
export function remembered<A extends readonly (string | number)[], T>(
  ask: (...about: A) => Promise<T>,
): ((...about: A) => Promise<T>) & { readonly forget: (...about: A) => void } {
  const known = new LRUCache<string, Promise<T>>({ max: 200 });
  const keyOf = (about: A) => about.join('/');
  const answerTo = (...about: A): Promise<T> => {
    const key = keyOf(about);
    const answer = known.get(key) ?? ask(...about);
    known.set(key, answer);
    const forget = () => void known.delete(key);
    answer.then((found) => found === null && forget(), forget);
    return answer;
  };
  return Object.assign(answerTo, { forget: (...about: A) => void known.delete(keyOf(about)) });
}
