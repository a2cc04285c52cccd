/** Characters of a text that signatures are looked for in. */
const maxText = 20_000;

/** A text as signatures are compared with it. */
export function plain(text: string): string {
  return text.slice(0, maxText).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The words of a signature in their order, `*` stands between them; none where they would be in nearly everything. */
export function partsOf(signature: string): readonly string[] {
  const parts = plain(signature)
    .split('*')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.join('').length < 4 ? [] : parts;
}

/**
 * Whether a plain text shows a signature. No regular expression is made of what a person or a log wrote, so that none
 * can run away.
 */
export function shows(within: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = within.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return parts.length > 0;
}
