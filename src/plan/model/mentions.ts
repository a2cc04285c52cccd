import type { Manifest } from '../../core/manifest.ts';

/** Lower-case words with `#` and `@` kept in front; dots, dashes and underscores stay inside a word. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[#@]?[\p{L}\p{N}]+(?:[._'’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** A word without the endings that verbs and plurals take, at least three letters long. */
export function stem(word: string): string {
  for (const ending of ['ations', 'ation', 'ing', 'ies', 'ed', 'es', 's', 'e']) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length);
  }
  return word;
}

/** True when two words are equal or differ by one typo: a letter wrong, doubled, missing or swapped with its neighbour. */
export function nearlySame(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** True when a word of the text matches a keyword's word: same stem, or one typo in a long word. */
function sameWord(inText: string, keyword: string): boolean {
  const a = stem(inText);
  const b = stem(keyword);
  return a === b || (Math.min(a.length, b.length) >= 4 && inText.length >= 5 && nearlySame(a, b));
}

/** True when the text contains all words of one of the tool's keywords. */
export function keywordSaid({ keywords }: Pick<Manifest, 'keywords'>, text: string): boolean {
  const said = wordsOf(text);
  return keywords.some((keyword) =>
    wordsOf(keyword).every((word) => said.some((other) => sameWord(other, word))),
  );
}

const stopWords = new Set(
  'a all an and any are as at be by do does for from have if in is it its me more my of on one or our out please so than that the them then there this to up us was we what when with you'.split(
    ' ',
  ),
);

/** A word as it is searched for; null for one that says nothing. */
export function searchTerm(word: string): string | null {
  const lower = word.toLowerCase().replace(/^[#@]/, '');
  return stopWords.has(lower) || lower.length < 2 ? null : stem(lower);
}
