import { isBreak } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { inOrder, partEnd } from './backwards.ts';
import { rewrites } from './list.ts';
import { withoutTakenBack } from './taken-back.ts';

/** "splunk: if …": where to look, in front of a condition, belongs into it. */
function withPlace(tokens: readonly Token[]): Token[] {
  const out = [...tokens];
  const colon = out.findIndex((token) => token.kind === 'mark' && token.word === ':');
  const two =
    colon > 2 &&
    out
      .slice(0, colon)
      .every((token) => /^(compare|splunk|kql|and|in|both|please|vs|with|check)$/.test(token.word));
  if (two)
    return [
      ...out.slice(colon + 1, partEnd(out, colon, /^[,;.?!]$/)),
      ...out.slice(0, colon).filter((token) => token.word !== 'compare'),
      ...out.slice(partEnd(out, colon, /^[,;.?!]$/)),
    ];
  const at = out.findIndex((token) => token.word === 'if' && token.kind === 'word');
  const place = out.slice(0, at).filter((token) => !isBreak(token));
  const system = place.every(
    (token) =>
      token.kind === 'duration' ||
      (token.kind === 'word' && /^(kql|splunk|sql|log|in|from|per|via|please|the|last)$/.test(token.word)),
  );
  const first = out[at];
  return at > 0 && first && place.length > 0 && system ? [first, ...place, ...out.slice(at + 1)] : out;
}

/** Brings orders that are said backwards, in the passive voice or without a verb to the form "verb target". */
export function rearrange(words: readonly Token[]): Token[] {
  const tokens = withoutTakenBack(words);
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    const found = rewrites.map((rewrite) => rewrite(tokens, index)).find((result) => result !== null);
    const paged = found?.put[0]?.word === 'page' && found.put[0].start === found.put[0].end;
    while (paged && /^(for|the|on-call|of)$/.test(out.at(-1)?.word ?? '')) out.pop();
    out.push(...(found ? found.put : [token]));
    index += found ? found.used : 1;
  }
  return inOrder(withPlace(out));
}
