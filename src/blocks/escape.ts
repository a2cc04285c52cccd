import { cut, oneLine, visibleText } from '../core/clean-text.ts';

/**
 * Text from goals, tickets and vendors is data. This removes everything Slack would act on: control characters,
 * mentions and links. `rich_text` and `plain_text` parse nothing, so `clean` is enough there; mrkdwn needs
 * `escapeMrkdwn`. Stars and underscores stay: at worst they style a word within one line.
 */

/** Joins without a gap: `@\u2060channel` looks the same but is not a mention. */
const joiner = '\u2060';

/** Visible text only; line breaks stay, tabs become spaces. */
export function clean(text: string): string {
  return visibleText(text).replaceAll('\t', ' ');
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

/** Data for the `text` of a message, which notifications show: escaped like mrkdwn, and short. */
export function fallbackText(text: string, max = 300): string {
  return cutNotice(escapeMrkdwn(text), max);
}

/** A message's `text` that is already safe, truncated to `max` without splitting an entity or mention. */
export function cutNotice(text: string, max = 300): string {
  return cut(text, max).replace(/(&[a-z]{0,3}|<[^<>]*)…$/, '…');
}
