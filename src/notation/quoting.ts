/**
 * Part of a text: words, or the name in a token such as `{count.total}`, with its position. `literal`: what it is where
 * there is no such result; in JSON braces are usual.
 */
export type Piece = string | { readonly name: string; readonly at: number; readonly literal?: string };

/**
 * `{step.field}`, `{step}` or `{input}`. Slack mistakes `ticket.link` for an address and puts `http://` in front;
 * braces around anything else are text.
 */
const token = /\{(?:https?:\/\/)?([a-z][a-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\/?\}/g;
const special = new RegExp(`\\\\(?:u\\{([0-9a-fA-F]{1,6})\\}|([^]))|${token.source}`, 'gu');

/** Invisible characters and unusual spaces, written as `\u{…}` so that nothing hides in a plan. */
const hidden = /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]/gu;

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const escapable = new Set([...'"\'“”„‘’«»\\{}']);

/** Closing marks by opening mark. Phones type curly ones, and not always in pairs. */
const closing: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”“',
  '”': '”“',
  '„': '“”',
  '«': '»',
  "'": "'",
  '‘': '’',
  '’': '’',
};
const single = new Set(["'", '‘', '’']);
const delimiter = /^(?:$|[\s;,\]:=])/;

export function opensQuote(char: string | undefined): boolean {
  return char !== undefined && Object.hasOwn(closing, char);
}

/** Index at which the quotation opened at `at` closes; -1 if it does not. An apostrophe inside a word closes nothing. */
export function closeOf(text: string, at: number): number {
  const open = text[at] ?? '';
  const find = (marks: string): number => {
    for (let i = at + 1; i < text.length; i += 1) {
      const char = text[i] ?? '';
      if (char === '\\') i += 1;
      else if (marks.includes(char) && (!single.has(open) || delimiter.test(text.slice(i + 1, i + 2))))
        return i;
    }
    return -1;
  };
  const close = find(closing[open] ?? open);
  return close < 0 && '“”„'.includes(open) ? find('"') : close;
}

export function isDelimited(text: string, at: number): boolean {
  return delimiter.test(text.slice(at, at + 1));
}

function unescaped(whole: string, hex: string | undefined, char: string | undefined): string {
  if (hex !== undefined) {
    const point = Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  }
  if (char === undefined) return whole;
  return escapes[char] ?? (escapable.has(char) ? char : whole);
}

/** Quoted content as plain text. A backslash before any other letter is a backslash. */
export function plainOf(raw: string): string {
  return raw.replace(special, (whole, hex?: string, char?: string) => unescaped(whole, hex, char));
}

/** Quoted or bare content as words and tokens. `at`: where `raw` begins. */
export function piecesOf(raw: string, at: number, form: 'quoted' | 'bare' | 'json'): Piece[] {
  const pieces: Piece[] = [];
  let words = '';
  let last = 0;
  for (const match of raw.matchAll(form === 'quoted' ? special : token)) {
    const [whole, hex, char] = match;
    const name = form === 'quoted' ? match[3] : match[1];
    words += raw.slice(last, match.index);
    last = match.index + whole.length;
    if (name === undefined) words += unescaped(whole, hex, char);
    else {
      if (words !== '') pieces.push(words);
      words = '';
      const literal = form === 'json' ? { literal: whole } : {};
      pieces.push({ name, at: at + match.index, ...literal });
    }
  }
  words += raw.slice(last);
  return words === '' ? pieces : [...pieces, words];
}

const written: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
};

/** Text escaped for a quotation on one line. */
export function escaped(text: string): string {
  return text
    .replace(/["\\\n\t\r]/g, (char) => written[char] ?? char)
    .replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Like `escaped`, and keeps token look-alikes as text, unless `inputs` has the name. */
export function escapedText(text: string, inputs: ReadonlySet<string>): string {
  let last = 0;
  const parts = [...text.matchAll(token)].map(({ 0: whole, 1: name = '', index }) => {
    const before = escaped(text.slice(last, index));
    last = index + whole.length;
    return `${before}${inputs.has(name) ? '' : '\\'}${whole}`;
  });
  return parts.join('') + escaped(text.slice(last));
}

/** True when a value needs no quotation marks. */
export function isBareWord(text: string): boolean {
  return /^[#@]?[\p{L}\p{N}_](?:[\p{L}\p{N}_.:/+@#-]*[\p{L}\p{N}_])?$/u.test(text);
}

/** True when a sentence needs no quotation marks after `why:` and the like. */
export function isBareLine(text: string): boolean {
  return (
    text !== '' &&
    text.trim() === text &&
    !/[\n;]/.test(text) &&
    !opensQuote(text[0]) &&
    text.search(hidden) < 0
  );
}
