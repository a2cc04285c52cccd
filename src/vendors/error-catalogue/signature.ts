/** Maximum characters of a text searched for signatures. */
const maxText = 20_000;

/** A text normalised for comparison with signatures. */
export function plain(text: string): string {
  return text.slice(0, maxText).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The words of a signature in order, split at `*`; empty if they would match nearly everything. */
export function partsOf(signature: string): readonly string[] {
  const parts = plain(signature)
    .split('*')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.join('').length < 4 ? [] : parts;
}

/**
 * Whether a plain text contains a signature. Nothing that a person or a log wrote becomes a regular expression, so none
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
