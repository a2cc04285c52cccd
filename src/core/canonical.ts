import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Canonical JSON as of RFC 8785. Throws a TypeError for values that JSON cannot represent (undefined, functions, NaN). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('value has no JSON form');
  return text;
}

/** False for text that is not JSON, is not in canonical form, or has none (1e999, half a surrogate pair). */
export function isCanonicalJson(text: string): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** Lower-case hex SHA-256 of the UTF-8 bytes of `text` (64 characters). */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** SHA-256 over the canonical JSON of `value`. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The part of a digest that people compare by eye: eight hex digits in two groups, `3fa9 12c0`. */
export function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)} ${digest.slice(4, 8)}`;
}
