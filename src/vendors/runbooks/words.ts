const small = new Set(
  'a an and any are at be by can do does for from have how i if in is it my of on or our runbook runbooks that the there this to us we what when where which with'.split(
    ' ',
  ),
);

/** The words of a question that carry its subject. */
export function contentWords(said: string): string[] {
  const words = said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !small.has(word)).slice(0, 20);
}
