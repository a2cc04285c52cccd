import { fallbackText } from './escape.ts';
import type { Message } from './message.ts';
import { bold, lines, rich, type Span } from './rich.ts';

/** A message of a few lines, with the same words for notifications. */
export function note(...rows: readonly (readonly Span[])[]): Message {
  const text = rows.map((row) => row.map(wordOf).join('')).join(' ');
  return { text: fallbackText(text), blocks: [rich([lines(rows)])] };
}

/** A note under a title in bold. */
export function titled(title: string, ...rows: readonly (readonly Span[])[]): Message {
  return note([bold(title)], ...rows);
}

function wordOf(span: Span): string {
  if (typeof span === 'string') return span;
  if (span.type === 'text') return span.text;
  if (span.type === 'link') return span.text ?? span.url;
  if (span.type === 'date') return span.fallback ?? '';
  return span.type === 'usergroup' ? 'a group' : 'someone';
}
