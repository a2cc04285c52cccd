import { fallbackText } from './escape.ts';
import type { Message } from './message.ts';
import { bold, lines, plainWords, rich, type Span } from './rich.ts';

/** A message of a few lines, with the same words for notifications. */
export function note(...rows: readonly (readonly Span[])[]): Message {
  const text = rows.map((row) => plainWords(row)).join(' ');
  return { text: fallbackText(text), blocks: [rich([lines(rows)])] };
}

/** A note under a title in bold. */
export function titled(title: string, ...rows: readonly (readonly Span[])[]): Message {
  return note([bold(title)], ...rows);
}
