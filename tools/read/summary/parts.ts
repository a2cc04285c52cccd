/** Splits a text into parts of at most `max` characters, between paragraphs, else between lines, else anywhere. */
export function partsOf(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const cut = placeToCut(rest, max);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function placeToCut(text: string, max: number): number {
  const head = text.slice(0, max);
  for (const between of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(between);
    if (at > max / 2) return at;
  }
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]$/.test(head) ? max - 1 : max;
}
