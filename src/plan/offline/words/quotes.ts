const pairs: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '”': '”',
  '„': '“',
  '«': '»',
  '»': '«',
  '‘': '’',
  "'": "'",
  '`': '`',
  '‹': '›',
};

/**
 * Quoted text that starts at `index`: its content and the length with the marks. A single quote opens only after a
 * space and closes only before one, so that "don't" and "Ana's" are words.
 */
export function quoteAt(text: string, index: number): { value: string; length: number } | null {
  const open = text[index] ?? '';
  if (text.startsWith('```', index)) return fenced(text, index);
  const close = pairs[open];
  if (close === undefined) return null;
  const single = open === "'" || open === '‘';
  if (single && index > 0 && !/[\s([:,;]/.test(text[index - 1] ?? '')) return null;
  for (let end = index + 1; end < text.length; end += 1) {
    const ends =
      text[end] === close || (open === '„' && text[end] === '”') || (open === '“' && text[end] === '"');
    if (!ends) continue;
    if (single && /[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) continue;
    const value = text.slice(index + 1, end).trim();
    return value === '' ? null : { value, length: end + 1 - index };
  }
  return null;
}

function fenced(text: string, index: number): { value: string; length: number } | null {
  const end = text.indexOf('```', index + 3);
  if (end < 0) return null;
  const value = text.slice(index + 3, end).trim();
  return value === '' ? null : { value, length: end + 3 - index };
}

/** The text with every quotation blanked out: what checks for orders may look at. */
export function withoutQuotes(text: string): string {
  let out = '';
  for (let index = 0; index < text.length; ) {
    const quote = quoteAt(text, index);
    out += quote ? ' ' : text[index];
    index += quote?.length ?? 1;
  }
  return out;
}

/** The only error code in a text, or undefined. */
export function codeIn(text: string): string | undefined {
  const codes = [...new Set(text.match(/(?<![\w-])(?:[A-Z][A-Z0-9]*[-_])+[A-Z]*\d{2,}(?![\w-])/g) ?? [])];
  return codes.length === 1 ? codes[0] : undefined;
}
