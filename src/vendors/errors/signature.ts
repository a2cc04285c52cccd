/** Characters of a text that signatures are looked for in. */
const maxText = 20_000;

function plain(text: string): string {
  return text.slice(0, maxText).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/**
 * Whether a text shows a signature: its words in their order, `*` for anything between. No regular expression is made
 * of what a person or a log wrote, so that none can run away.
 */
export function shows(text: string, signature: string): boolean {
  const parts = plain(signature)
    .split('*')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.join('').length < 4) return false;
  const within = plain(text);
  let from = 0;
  for (const part of parts) {
    const at = within.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
