import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../core/json.ts';

/**
 * Text as Postgres can keep it: NUL and lone surrogates have no place in its UTF-8 and become U+FFFD. Text is
 * cleaned at the edges already; this keeps an odd character from turning into a failed insert in the middle of a run.
 */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** A JSON value as a jsonb parameter. The driver itself would send a JS array as a Postgres array. */
export function jsonb<T extends Json>(value: T): RawBuilder<T> {
  return sql<T>`${jsonText(value)}::jsonb`;
}

/** In JSON, what cannot be stored is always escaped; only then is each text looked at. */
const odd = /\\u(?:0000|d[89a-f])/;

function jsonText(value: Json): string {
  const text = JSON.stringify(value);
  if (!odd.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part));
}

/** The same, with SQL's null for null. */
export function jsonbOrNull<T extends Json>(value: T | null | undefined): RawBuilder<T> | null {
  return value === null || value === undefined ? null : jsonb(value);
}

/**
 * A moment that stands in the statement itself, for what is true of few rows: a plan for all moments would read the
 * whole table.
 */
export function moment(at: Date): RawBuilder<Date> {
  return sql<Date>`${sql.lit(at.toISOString())}::timestamptz`;
}
