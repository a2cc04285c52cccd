import { startsWrite } from '../words/grammar.ts';
import type { Token } from '../words/token.ts';

export const arrow = /^(?:[-=]+>|→|⇒|⟶|➜|➔|= >)$/;

export function comma(like: Token): Token {
  return { kind: 'mark', word: ',', raw: ',', start: like.start, end: like.start };
}

function isThing(token: Token | undefined): boolean {
  return token !== undefined && /^(project|service|priority|key)$/.test(token.kind);
}

/** The start of the words before `end` that have no break in them. */
export function segmentStart(tokens: readonly Token[], end: number, stops: RegExp): number {
  let start = end;
  while (start > 0) {
    const before = tokens[start - 1];
    const listed =
      before?.word === ',' && isThing(tokens[start - 2]) && tokens[start - 2]?.kind === tokens[start]?.kind;
    if (!before || (before.kind === 'mark' && stops.test(before.word) && !listed)) break;
    if (before.kind === 'word' && /^(otherwise|then|if|unless|means|in-that-case)$/.test(before.word)) break;
    start -= 1;
  }
  return start;
}

/** True when an `if` of the same sentence still waits for its order. */
export function opened(tokens: readonly Token[], end: number): boolean {
  for (let index = end - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (!token || (token.kind === 'mark' && /^[;.?!]$/.test(token.word))) return false;
    if (token.kind === 'word' && /^(if|unless)$/.test(token.word)) return true;
    if (startsWrite(tokens, index) || /^(then|otherwise|noop)$/.test(token.word)) return false;
  }
  return false;
}
