import { closeOf, isDelimited, opensQuote, plainOf } from './quoting.ts';

/** A text being read from the front. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** A piece of the text and its position. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

/** The rest of a line after `why:` and the like. */
export interface Line extends Word {
  /** It was in quotation marks, so nothing in it is read leniently. */
  readonly verbatim: boolean;
}

/** Consumes a match of `pattern` (sticky) at the cursor. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match) cursor.at += match[0].length;
  return match;
}

/** Like `take` without consuming. */
export function ahead(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text);
}

export function skipBlanks(cursor: Cursor): void {
  take(cursor, /[^\S\n]*/y);
}

/** True at a line's end, a semicolon or the end of the text. */
export function isClauseEnd({ text, at }: Cursor): boolean {
  const char = text[at];
  return char === undefined || char === '\n' || char === ';';
}

/** Skips to the end of an unreadable clause; semicolons inside quotation marks do not end it. */
export function skipClause(cursor: Cursor): void {
  while (!isClauseEnd(cursor)) {
    take(cursor, /[^\n;"]*/y);
    take(cursor, /"(?:[^"\\\n]|\\.)*"?/y);
  }
}

/** The rest of a clause, verbatim. */
export function takeRaw(cursor: Cursor): Line {
  skipBlanks(cursor);
  const { at } = cursor;
  skipClause(cursor);
  return { text: cursor.text.slice(at, cursor.at), at, verbatim: false };
}

/** End of the quotation that opens here, or -1. A quotation that spans lines must end before a blank. */
export function quotationEnd({ text, at }: Cursor): number {
  const close = closeOf(text, at);
  const newline = text.indexOf('\n', at);
  const isLong = newline >= 0 && newline < close;
  return isLong && !isDelimited(text, close + 1) ? -1 : close;
}

/** The rest of a clause as text, quoted or bare. */
export function takeLine(cursor: Cursor): Line {
  skipBlanks(cursor);
  const { at, text } = cursor;
  if (opensQuote(text[at])) {
    const close = quotationEnd(cursor);
    const after = { text, at: close + 1 };
    skipBlanks(after);
    if (close > 0 && isClauseEnd(after)) {
      cursor.at = after.at;
      return { text: plainOf(text.slice(at + 1, close)), at, verbatim: true };
    }
  }
  const bare = take(cursor, /[^\n;]*/y)?.[0] ?? '';
  return { text: bare.trim(), at, verbatim: false };
}
