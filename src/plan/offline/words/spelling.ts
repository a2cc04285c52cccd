/**
 * Damerau-Levenshtein distance (adjacent swaps count as one), given up as soon as it must exceed `limit`.
 */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? limit + 1;
}

/** Repairs words that are not known towards the vocabulary; what is known or too short stays. */
export class Speller {
  readonly #known: ReadonlySet<string>;
  readonly #byLength = new Map<number, string[]>();
  readonly #memory = new Map<string, string | null>();

  constructor(vocabulary: Iterable<string>, known: ReadonlySet<string>) {
    this.#known = known;
    for (const word of vocabulary) {
      if (!/^\p{L}{3,}$/u.test(word)) continue;
      this.#byLength.set(word.length, [...(this.#byLength.get(word.length) ?? []), word]);
    }
  }

  knows(word: string): boolean {
    return this.#known.has(word) || this.#known.has(word.replace(/(?:'s|es|s|ing|ed)$/, ''));
  }

  /** The word that is meant, or null when the word is right or nothing is near enough. */
  repair(word: string): string | null {
    const remembered = this.#memory.get(word);
    if (remembered !== undefined) return remembered;
    const found = this.#search(word);
    if (this.#memory.size < 5_000) this.#memory.set(word, found);
    return found;
  }

  #search(word: string): string | null {
    if (word.length < 3 || word.length > 20 || !/^[a-z]+$/.test(word) || this.knows(word)) return null;
    const limit = word.length >= 8 ? 2 : 1;
    let best: { word: string; cost: number } | null = null;
    for (let length = word.length - limit; length <= word.length + limit; length += 1) {
      for (const candidate of this.#byLength.get(length) ?? []) {
        if (!near(word, candidate)) continue;
        const cost = distance(word, candidate, limit);
        const swapped = (sameLetters(word, candidate) ? 0.5 : 0) + (word[0] === candidate[0] ? 0.25 : 0);
        if (cost <= limit && cost - swapped < (best?.cost ?? 9))
          best = { word: candidate, cost: cost - swapped };
      }
    }
    return best?.word ?? null;
  }
}

/** Short words are repaired only for swapped, dropped or doubled letters: "shop" is no "show". */
function near(word: string, candidate: string): boolean {
  const start = word[0] === candidate[0] || (word[0] === candidate[1] && word[1] === candidate[0]);
  if (!start) return false;
  if (word.length > 4)
    return word.length !== candidate.length || sameLetters(word, candidate) || slipped(word, candidate);
  if (word.length === candidate.length) return sameLetters(word, candidate);
  return word.length === 4
    ? candidate.length === 5 || isDoubled(word, candidate)
    : candidate.length > word.length && clipped.has(candidate);
}

/** Four letters that are often typed as three; "pay" is no "play". */
const clipped = new Set(
  'open page call post list show find move done tell with from than then when over into that what high'.split(
    ' ',
  ),
);

function isDoubled(word: string, candidate: string): boolean {
  return word.replace(/(.)\1/g, '$1') === candidate;
}

function sameLetters(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
}

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** True when every letter that differs is next to the right one on a keyboard, or the word is long. */
function slipped(word: string, candidate: string): boolean {
  if (word.length >= 8) return true;
  return [...word].every(
    (letter, index) => letter === candidate[index] || neighbours(letter, candidate[index] ?? ''),
  );
}

function neighbours(a: string, b: string): boolean {
  const place = (letter: string): [number, number] => {
    const row = rows.findIndex((keys) => keys.includes(letter));
    return [row, rows[row]?.indexOf(letter) ?? -9];
  };
  const [rowA, columnA] = place(a);
  const [rowB, columnB] = place(b);
  return Math.abs(rowA - rowB) <= 1 && Math.abs(columnA - columnB) <= 1;
}
