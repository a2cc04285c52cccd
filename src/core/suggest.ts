import { closest, distance } from 'fastest-levenshtein';

/** Letters. Anything longer is not a name. */
const maxName = 60;

/** The name that was probably meant: up to two letters may differ, or a third of those of a long word. */
export function suggest(typed: string, names: readonly string[]): string | null {
  const word = typed.toLowerCase();
  if (word.length > maxName || names.length === 0) return null;
  const letters = (of: string): string => [...of].sort().join('');
  const swapped = names.find((name) => letters(name) === letters(word));
  if (swapped !== undefined) return swapped;
  const best = closest(word, names);
  const maxApart = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return distance(word, best) <= Math.min(maxApart, word.length - 1) ? best : null;
}

/** Names sorted by similarity to the typed one; a leading `#` or `@` does not count. */
export function byLikeness(names: readonly string[], said: string): string[] {
  const bare = (name: string): string => name.replace(/^[#@]/u, '').toLowerCase();
  const apart = (name: string): number => distance(bare(name), said.toLowerCase());
  return names.toSorted((a, b) => apart(a) - apart(b));
}
