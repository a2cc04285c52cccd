import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../core/json.ts';

/**
 * Text that Postgres can store: NUL and lone surrogates are not valid in its UTF-8 and become U+FFFD. Text is already
 * cleaned at the edges; this keeps an odd character from failing an insert in the middle of a run.
 */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** A JSON value as a jsonb parameter. The driver would send a JS array as a Postgres array. */
export function jsonb<T extends Json>(value: T): RawBuilder<T> {
  return sql<T>`${jsonText(value)}::jsonb`;
}

/** JSON always escapes unstorable characters; only if one is found is each text checked. */
const odd = /\\u(?:0000|d[89a-f])/;

function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!odd.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part));
}

/** The value as it is read back once it is stored: its digest is the same before and after. */
export function asStored<T extends object>(value: T): T {
  return odd.test(JSON.stringify(value)) ? JSON.parse(jsonText(value)) : value;
}

/** Like `jsonb`, with SQL null for null. */
export function jsonbOrNull<T extends Json>(value: T | null | undefined): RawBuilder<T> | null {
  return value === null || value === undefined ? null : jsonb(value);
}

/** A timestamp literal, for conditions that match few rows: a generic plan would read the whole table. */
export function moment(at: Date): RawBuilder<Date> {
  return sql<Date>`${sql.lit(at.toISOString())}::timestamptz`;
}
