/** Phrases by their first word, longest first: what an engineer may write, and the one form that grammar knows. */
export interface Phrase {
  readonly words: readonly string[];
  readonly canonical: string;
}

export type PhraseTable = ReadonlyMap<string, readonly Phrase[]>;

/** Reads lines of the form `canonical: phrase | phrase | …`. Several tables may be joined; the first entry wins. */
export function readTable(...sources: readonly string[]): PhraseTable {
  const table = new Map<string, Phrase[]>();
  const seen = new Set<string>();
  for (const line of sources.join('\n').split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const canonical = line.slice(0, colon).trim();
    for (const phrase of line.slice(colon + 1).split('|')) {
      const text = phrase.trim();
      if (text === '' || seen.has(text)) continue;
      seen.add(text);
      const words = text.split(' ');
      const first = words[0] ?? '';
      table.set(first, [...(table.get(first) ?? []), { words, canonical }]);
    }
  }
  for (const phrases of table.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  return table;
}

/** Every single word of a table: its phrases and its canonical forms. */
export function wordsOf(table: PhraseTable): Set<string> {
  const words = new Set<string>();
  for (const phrases of table.values()) {
    for (const phrase of phrases) {
      for (const word of phrase.words) words.add(word);
      for (const word of phrase.canonical.split(' ')) words.add(word);
    }
  }
  return words;
}

/** The longest phrase that starts at `index`, or null. */
export function phraseAt(table: PhraseTable, words: readonly string[], index: number): Phrase | null {
  for (const phrase of table.get(words[index] ?? '') ?? []) {
    if (phrase.words.every((word, offset) => words[index + offset] === word)) return phrase;
  }
  return null;
}
