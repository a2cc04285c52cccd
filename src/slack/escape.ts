/**
 * Text out of goals, tickets and vendors is data. Here it loses what Slack would act on: control characters,
 * mentions and links. `rich_text` and `plain_text` parse nothing, so `clean` is enough there; mrkdwn needs
 * `escapeMrkdwn`. Stars and underscores stay: they may style a word of one line and can do no more.
 */

/** C0 and C1 controls but for line feed and tab; what reorders text (bidi); what hides in it (zero width). */
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
/** Joins without a gap: `@\u2060channel` looks the same and is no mention. */
const joiner = '\u2060';

/** Text without control, bidi and zero-width characters. Line breaks stay, tabs become spaces. */
export function clean(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').replaceAll(unwanted, '').toWellFormed();
}

/** Clean text on one line; a line break shows as a space. */
export function oneLine(text: string): string {
  return clean(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

/** At most `max` characters, ending in `…` when something was cut; never half of a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Data for mrkdwn, on one line: entities escaped, `@name`, `#name` and addresses made inert. */
export function escapeMrkdwn(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([@#])(?=[\p{L}\p{N}])/gu, `$1${joiner}`)
    .replaceAll(/:\/\//g, `:${joiner}//`)
    .replaceAll(/\b(mailto|tel):/gi, `$1${joiner}:`);
}

/** Data for the `text` of a message, which notifications show: as in mrkdwn, and short. */
export function fallbackText(text: string, max = 300): string {
  return cut(escapeMrkdwn(text), max).replace(/&[a-z]{0,3}…$/, '…');
}
