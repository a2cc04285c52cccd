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
export function sameWord(inText: string, keyword: string): boolean {
  const a = stem(inText);
  const b = stem(keyword);
  return a === b || (Math.min(a.length, b.length) >= 4 && inText.length >= 5 && nearlySame(a, b));
}
