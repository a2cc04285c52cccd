/** Payment card numbers: 13 to 19 digits that pass the Luhn check. */
function isCard(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Dotted words without the JSON web tokens among them: three parts, the first of which begins with eyJ. */
function withoutTokens(words: string): string {
  const parts = words.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [header = '', payload = '', signature] = parts.slice(at, at + 3);
    const begin = header.search(/\beyJ[\w-]{8}/);
    const isToken = begin >= 0 && payload.length >= 4 && signature !== undefined;
    kept.push(isToken ? `${header.slice(0, begin)}[token]` : header);
    if (isToken) at += 2;
  }
  return kept.join('.');
}

/**
 * Text without data that should never have been logged: e-mail addresses, card numbers, tokens and passwords. Meant for
 * lines posted to a channel; it masks by pattern only.
 */
export function masked(text: string): string {
  return text
    .replaceAll(/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[e-mail]')
    .replaceAll(/(?<![\w.-])[\w.-]+/g, withoutTokens)
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{8,4000}/gi, '$1 [token]')
    .replaceAll(
      /\b(password|passwd|secret|token|api[_-]?key)(["']?\s?[=:]\s?["']?)[^\s"',;&]{3,400}/gi,
      '$1$2[secret]',
    )
    .replaceAll(/\b\d(?:[ -]?\d){12,18}\b/g, (found) =>
      isCard(found.replaceAll(/\D/g, '')) ? '[card number]' : found,
    );
}
