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

/** Texts in quotation marks, without the marks. */
export function quotationsIn(text: string): string[] {
  return [...text.matchAll(quotes)]
    .map(([, ...groups]) => inside(groups))
    .filter((words) => words.trim() !== '');
}
