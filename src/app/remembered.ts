import { LRUCache } from 'lru-cache';

/** What stays as it is once it is known, such as where a card stands: the newest answers are kept. Null is asked again. */
export function remembered<A extends readonly (string | number)[], T>(
  ask: (...about: A) => Promise<T>,
): (...about: A) => Promise<T> {
  const known = new LRUCache<string, Promise<T>>({ max: 200 });
  return (...about) => {
    const key = about.join('/');
    const answer = known.get(key) ?? ask(...about);
    known.set(key, answer);
    const forget = () => void known.delete(key);
    answer.then((found) => found === null && forget(), forget);
    return answer;
  };
}
