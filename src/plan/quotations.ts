/**
 * Text in quotation marks is material and requests nothing, except that a quoted name alone (`post to "#ops"`) is still
 * a name.
 */

const quotes =
  /"([^"]*)"|“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu;

function inside(groups: readonly (string | undefined)[]): string {
  return groups.find((group) => group !== undefined) ?? '';
}

/** The request without its quoted texts. */
export function withoutQuotes(text: string): string {
  return text.replace(quotes, (_match, ...groups) => {
    const words = inside(groups.slice(0, 6));
    return /^\S{1,80}$/.test(words) ? ` ${words} ` : ' … ';
  });
}

/** The request with the words around its quoted texts replaced. */
export function betweenQuotes(text: string, replaced: (words: string) => string): string {
  let last = 0;
  const parts = [...text.matchAll(quotes)].map(({ 0: quoted, index }) => {
    const words = replaced(text.slice(last, index));
    last = index + quoted.length;
    return words + quoted;
  });
  return parts.join('') + replaced(text.slice(last));
}

/** Texts in quotation marks, without the marks. */
export function quotationsIn(text: string): string[] {
  return [...text.matchAll(quotes)]
    .map(([, ...groups]) => inside(groups))
    .filter((words) => words.trim() !== '');
}
