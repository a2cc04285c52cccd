import { visibleText } from '../../core/clean-text.ts';
import { type BoundQuery, QueryError, type QueryValue } from '../../core/queries/bind.ts';
import { placesIn } from '../../core/queries/promql-places.ts';

/**
 * The query in Prometheus's format. Words become quoted label values, escaped twice in a pattern; a number stands as it
 * is anywhere else. Throws a QueryError for a value that cannot be quoted.
 */
export function promqlText({ text, values, from, to }: BoundQuery): string {
  const seconds = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000));
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  return placesIn(text)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if (piece.name === 'window') return `${seconds}s`;
      const value = all[piece.name] ?? '';
      if (value instanceof Date) return String(value.getTime() / 1_000);
      if (piece.place === 'bare' && typeof value === 'number') return String(value);
      if (piece.place === 'bare') throw plainWords(piece.name);
      return quoted(piece.name, String(value), piece.place === 'pattern');
    })
    .join('');
}

function quoted(name: string, value: string, isPattern: boolean): string {
  if (/[\n\r\t]/.test(value) || visibleText(value) !== value) throw plainWords(name);
  const literal = isPattern ? value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : value;
  return `"${literal.replaceAll(/["\\]/g, '\\$&')}"`;
}

const plainWords = (name: string): QueryError =>
  new QueryError('query_argument', `${name} must be plain words for Prometheus, without line breaks.`);
