import { closest, distance } from 'fastest-levenshtein';

/** Letters. What is longer is no name. */
const maxName = 60;

/** The name that was probably meant: two letters may differ, and a third of those of a long word. */
export function suggest(typed: string, names: readonly string[]): string | null {
  const word = typed.toLowerCase();
  if (word.length > maxName || names.length === 0) return null;
  const letters = (of: string): string => [...of].sort().join('');
  const swapped = names.find((name) => letters(name) === letters(word));
  if (swapped !== undefined) return swapped;
  const best = closest(word, names);
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return distance(word, best) <= Math.min(most, word.length - 1) ? best : null;
}

/** Names with the closest to what was said first; `#` and `@` before a name do not count. */
export function byLikeness(names: readonly string[], said: string): string[] {
  const bare = (name: string): string => name.replace(/^[#@]/u, '').toLowerCase();
  const apart = (name: string): number => distance(bare(name), said.toLowerCase());
  return names.toSorted((a, b) => apart(a) - apart(b));
}
