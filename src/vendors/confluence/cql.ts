import type { PageQuery } from './port.ts';

/** Letters, digits and the characters of codes; anything else has a meaning in CQL's text search. */
function searchWords(said: string): string[] {
  return (said.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []).slice(0, 20);
}

/** A CQL string. The output of `searchWords` has neither quotes nor backslashes; both are escaped nevertheless. */
function literal(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** CQL for pages about something, in the given spaces. Null when no search words are left. */
export function pagesAbout({ words, service, code }: PageQuery, spaces: readonly string[]): string | null {
  const wanted = searchWords(words);
  const parts = [wanted.join(' '), ...[service, code].map((one) => searchWords(one ?? '').join(' '))];
  const terms = parts.filter((part) => part !== '').map((part) => `siteSearch ~ ${literal(part)}`);
  if (terms.length === 0) return null;
  return [pagesIn(spaces), ...terms].join(' AND ');
}

/** CQL for every page of the given spaces, or of all if none are given. */
export function pagesIn(spaces: readonly string[]): string {
  const within = spaces.length === 0 ? [] : [`space in (${spaces.map(literal).join(', ')})`];
  return ['type = page', ...within].join(' AND ');
}
