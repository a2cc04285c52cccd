/**
 * A value as a JQL string. Backslash and quote are escaped, control and format characters removed, so that nothing in
 * it can end the string. Atlassian documents no length limit; ours is the manifest's.
 */
export function jqlString(value: string): string {
  const clean = value
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return `"${clean.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
}

/**
 * Words for `text ~`, whose value is a query language of its own (Lucene): its special characters become spaces, and
 * lower case keeps AND, OR and NOT from being operators. Null when no word is left.
 */
export function jqlWords(value: string): string | null {
  const words = value
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_@.']+/gu, ' ')
    .replace(/(^|\s)[.'@]+|(?<![.'@])[.'@]+(?=\s|$)/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? null : `"${words}"`;
}
