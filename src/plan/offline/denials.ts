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
  // "tell #ops nothing"
  let at = index + 1;
  while (/^(to|in|the)$/.test(tokens[at]?.word ?? '')) at += 1;
  const silent =
    /^(channel|user|service|key|id)$/.test(tokens[at]?.kind ?? '') &&
    tokens[at + 1]?.kind === 'word' &&
    /^(nothing|nothing at all)$/i.test(tokens[at + 1]?.raw ?? '');
  if (silent) return { put: [word('do-not', token), ...tokens.slice(index, at + 1)], used: at - index + 2 };
  if (!two && !none) return null;
  return { put: [word('do-not', token), token], used: two ? 3 : 2 };
}
