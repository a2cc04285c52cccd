/**
 * Control and format characters (direction overrides, zero-width marks) but not line feed and tab, and everything else
 * that is drawn as nothing (fillers, selectors of variants) but what makes an emoji of a character.
 */
const invisible = /(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{DI}]|(?<!\p{Extended_Pictographic})\ufe0f(?!\u20e3)/gu;

/** Text without characters that a reader cannot see; line ends become \n. Every sink's encoder starts from this. */
export function visibleText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n').replace(invisible, '');
}

/** The sentence with a full stop added if it has none. */
export function withStop(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Visible text on one line: line breaks and tabs become spaces. */
export function oneLine(text: string): string {
  return visibleText(text)
    .replaceAll('\t', ' ')
    .split(/[\n\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** At most `max` UTF-16 units, ending in `…` when something was cut; never half of a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${head(text, max - 1)}…`;
}

/** Like `cut`, but keeps the last word whole unless it alone fills half of the limit. */
export function cutWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = head(text, max - 1);
  const space = /\s/.test(text.charAt(kept.length)) ? kept.length : kept.search(/\s\S*$/);
  return `${(space < max / 2 ? kept : kept.slice(0, space)).trimEnd()}…`;
}

/** The first `max` UTF-16 units without an ellipsis, one less where the cut would split a surrogate pair. */
export function head(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
