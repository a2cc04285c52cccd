import type { Token } from '../words/token.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

/** "page X, no wait, post in #y": the order before is taken back. */
export function withoutTakenBack(tokens: readonly Token[]): readonly Token[] {
  const raw = (index: number, length: number): string =>
    tokens
      .slice(index, index + length)
      .map((token) => token.raw.toLowerCase())
      .join(' ');
  const at = tokens.findIndex(
    (_, index) =>
      index > 0 &&
      /^(?:no wait|wait no|no , wait|wait , no|scratch that|strike that|actually no|no , actually|correction)\b/.test(
        raw(index, 4),
      ),
  );
  if (at < 0) return tokens;
  let start = at;
  while (
    start > 0 &&
    !/^[;.?!]$/.test(tokens[start - 1]?.word ?? '') &&
    !/^(if|unless)$/.test(tokens[start - 1]?.word ?? '')
  )
    start -= 1;
  let end = at;
  while (
    end < tokens.length &&
    /^(no|none|do-not|not|wait|scratch|strike|that|actually|correction|,|:|-|please)$/.test(
      tokens[end]?.raw.toLowerCase() ?? '',
    )
  )
    end += 1;
  const gone = tokens.slice(start, at);
  if (gone.some((token) => token.kind === 'word' && /^(if|unless)$/.test(token.word))) return tokens;
  // "scratch the page and post …": what is taken back is said once more.
  if (/^(scratch|forget|drop|cancel|skip)$/.test(rawAt(tokens, end))) {
    const and = tokens.findIndex((token, index) => index > end && /^(and|but|,)$/.test(token.word));
    if (and > 0) end = and + 1;
  }
  return [...tokens.slice(0, start), ...tokens.slice(end)];
}

/** "P3, no sorry, P2": the value that was said by mistake goes. */
export const corrected: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || /^(word|mark)$/.test(token.kind)) return null;
  let at = index + 1;
  while (
    /^(,|-|–|—|no|none|sorry|wait|rather|mean|i|actually|make|that|oops|not|\(|:|er|erm|please)$/.test(
      rawAt(tokens, at),
    ) ||
    /^[,–—-]$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  const said = tokens
    .slice(index + 1, at)
    .map((other) => other.raw.toLowerCase())
    .join(' ');
  const marker = /\b(?:no sorry|sorry|no wait|wait|i mean|rather|oops|make that|actually)\b/.test(
    said.replaceAll(',', '').replaceAll(/\s+/g, ' '),
  );
  return marker && tokens[at]?.kind === token.kind ? { put: [], used: at - index } : null;
};
