import { isBreak, mark, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';

/** Tokens to put in place of `used` tokens from a place on, or null where it does not fit. */
export type Rewrite = (
  tokens: readonly Token[],
  index: number,
) => { put: readonly Token[]; used: number } | null;

/** A bound in the two words after a place, made a condition of what follows: "with 3 or-more page ops". */
export function boundFirst(tokens: readonly Token[], index: number, like: Token): ReturnType<Rewrite> {
  const bound = tokens.slice(index + 1, index + 3);
  return { put: [mark(';', like), word('if', like), ...bound, mark(',', like)], used: 3 };
}

export function rawAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.raw.toLowerCase() ?? '';
}

export function startsOrder(before: Token | undefined): boolean {
  return (
    isBreak(before) ||
    (before?.kind === 'word' &&
      /^(and|then|otherwise|also|but|means|please|show|in-that-case|could|can|may|would|should|first|finally)$/.test(
        before.word,
      ))
  );
}
