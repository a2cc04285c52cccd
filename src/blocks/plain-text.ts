import type { Span } from './rich.ts';

/** A line as text, for notifications and the command line. `nameOf` gives the names of people and groups there. */
export function plainText(row: readonly Span[], nameOf: (id: string) => string = (id) => `@${id}`): string {
  return row.map((span) => wordOf(span, nameOf)).join('');
}

function wordOf(span: Span, nameOf: (id: string) => string): string {
  if (typeof span === 'string') return span;
  if (span.type === 'text') return span.text;
  if (span.type === 'link') return span.text === undefined ? span.url : `${span.text} <${span.url}>`;
  if (span.type === 'date') return span.fallback ?? '';
  if (span.type === 'usergroup') return nameOf(span.usergroup_id);
  return span.type === 'user' ? nameOf(span.user_id) : '';
}
