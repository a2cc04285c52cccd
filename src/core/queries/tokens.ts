/** A part of a query. Spaces and comments are not tokens. */
export interface Token {
  readonly kind: 'name' | 'quoted' | 'string' | 'sign';
  readonly text: string;
}

/**
 * Pattern (sticky) of one kind of token; the first match wins. `skip` is for spaces and comments, `unclear` for text
 * that different servers may read differently.
 */
export type Lexeme = readonly [kind: Token['kind'] | 'skip' | 'unclear', pattern: RegExp];

/** Characters that are not seen, and line ends that only some parsers take for one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * The tokens of a query, so that a guard sees its words and never the contents of strings and comments. Null when it is
 * unclear where a token ends.
 */
export function tokensOf(text: string, lexemes: readonly Lexeme[]): Token[] | null {
  if (unseen.test(text)) return null;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at, lexemes);
    if (found === null || found.kind === 'unclear') return null;
    const { kind } = found;
    if (kind !== 'skip') tokens.push({ kind, text: found.text });
    at += found.text.length;
  }
  return tokens;
}

function tokenAt(text: string, at: number, lexemes: readonly Lexeme[]) {
  for (const [kind, pattern] of lexemes) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { kind, text: found };
  }
  return null;
}

/** Names before an opening bracket: possible calls. */
export function callsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text }, index) => {
    if (tokens[index + 1]?.text !== '(') return [];
    if (kind === 'name') return [text.toLowerCase()];
    return kind === 'quoted' ? [text.slice(1, -1).toLowerCase()] : [];
  });
}
