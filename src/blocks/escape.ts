import { cut, oneLine, visibleText } from '../core/inert.ts';

/**
 * Text out of goals, tickets and vendors is data. Here it loses what Slack would act on: control characters,
 * mentions and links. `rich_text` and `plain_text` parse nothing, so `clean` is enough there; mrkdwn needs
 * `escapeMrkdwn`. Stars and underscores stay: they may style a word of one line and can do no more.
 */

/** Joins without a gap: `@\u2060channel` looks the same and is no mention. */
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

/** Data for the `text` of a message, which notifications show: as in mrkdwn, and short. */
export function fallbackText(text: string, max = 300): string {
  return cutNotice(escapeMrkdwn(text), max);
}

/** The `text` of a message that is safe already, cut to `max`, but in no entity and no mention. */
export function cutNotice(text: string, max = 300): string {
  return cut(text, max).replace(/(&[a-z]{0,3}|<[^<>]*)…$/, '…');
}
