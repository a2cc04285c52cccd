import { visibleText } from '../../core/clean-text.ts';
import type { BoundQuery, QueryValue } from '../../core/queries/bind.ts';
import { piecesOf, writeQuery } from '../../core/queries/template.ts';
import { mustStayInside } from './guard.ts';

/**
 * The query in the form Azure Monitor accepts. Its API has no parameters for values, so they become typed defaults of
 * declared parameters before the query, which refers to them by name; the query text itself is the operator's.
 */
export function kqlText({ text, template, values, from, to }: BoundQuery): string {
  if (template === null) {
    mustStayInside(text);
    return withoutEnd(text);
  }
  const all: Readonly<Record<string, QueryValue>> = { ...values, from, to };
  const used = new Set(piecesOf(text).flatMap((piece) => ('name' in piece ? [piece.name] : [])));
  const declared = [...used].map((name) => `p_${name}:${literal(all[name] ?? '')}`);
  const head = declared.length === 0 ? '' : `declare query_parameters(${declared.join(', ')});\n`;
  return head + withoutEnd(writeQuery(text, (name) => `p_${name}`));
}

/** Type and value of a parameter. */
function literal(value: QueryValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `long = ${value}` : `real = ${value}`;
  if (value instanceof Date) return `datetime = datetime(${value.toISOString()})`;
  const safe = visibleText(value)
    .replaceAll(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\t', '\\t');
  return `string = "${safe}"`;
}

/** Allows another operator to follow: the last line may be a comment. */
function withoutEnd(text: string): string {
  return `${text.trim().replace(/(?<!;);+\s*$/, '')}\n`;
}
