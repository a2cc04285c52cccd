import { section } from './layout.ts';
import type { Block, Message } from './message.ts';
import { bold, lines, noticeText, rich, type Span } from './rich.ts';

/** A message of a few lines, with the same text for notifications. */
export function note(...rows: readonly (readonly Span[])[]): Message {
  return { text: noticeText(...rows), blocks: [rich([lines(rows)])] };
}

/** A note under a title in bold. */
export function titled(title: string, ...rows: readonly (readonly Span[])[]): Message {
  return note([bold(title)], ...rows);
}

/** A message's notification text as a block; it is already safe. */
export function noticeBlock({ text }: Message): Block {
  return section({ type: 'mrkdwn', text, verbatim: true });
}
