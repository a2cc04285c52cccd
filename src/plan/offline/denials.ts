import { word } from './marks.ts';
import type { Token } from './token.ts';

/** "page nobody", "post nothing to #pay": a denial behind the verb, said as "don't page". */
export function denial(
  tokens: readonly Token[],
  index: number,
): { put: readonly Token[]; used: number } | null {
  const token = tokens[index];
  if (
    token?.kind !== 'word' ||
    !/^(page|tell|post|notify|comment|create|ack|resolve|close|move)$/.test(token.word)
  )
    return null;
  const two =
    /^no$/i.test(tokens[index + 1]?.raw ?? '') && /^(one|body)$/i.test(tokens[index + 2]?.raw ?? '');
  const next = tokens[index + 1];
  const none =
    next?.kind === 'word' &&
    /^(nobody|no-one|noone|no one|nothing|no tickets?|nobody else|none|none of (?:them|these|those|it)|neither(?: of them)?)$/i.test(
      next.raw,
    );
  if (!two && !none) return null;
  return { put: [word('do-not', token), token], used: two ? 3 : 2 };
}
