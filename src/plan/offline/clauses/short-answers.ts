import { startsWrite } from '../words/grammar.ts';
import type { Token } from '../words/token.ts';

/** "if it is, …", "if there are not: …": the answer to what was asked before. */
function shortAnswer(tokens: readonly Token[], index: number): { word: string; length: number } | null {
  const [first, subject, verb] = tokens.slice(index, index + 3);
  if (first?.word !== 'if' || first.kind !== 'word') return null;
  if (!/^(it|they|that|there|this|so)$/.test(subject?.word ?? '')) return null;
  const denied = verb?.kind === 'word' && verb.word === 'not';
  if (!denied && !/^(is|are|does|do|has|have|did|was|were|it's)$/.test(verb?.word ?? '')) return null;
  const not = denied || tokens[index + 3]?.word === 'not';
  const at = index + (not && !denied ? 4 : 3);
  const next = tokens[at];
  const ends =
    !next ||
    /^[,:;]$/.test(next.word) ||
    next.word === 'then' ||
    (startsWrite(tokens, at) && next.word !== 'close');
  return ends ? { word: not ? 'otherwise' : 'in-that-case', length: at - index } : null;
}

/** "if not, …" and "if no, …" stand for "otherwise" when nothing that could be compared comes after them. */
export function withOtherwise(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const again =
      token.word === 'do-not' &&
      /^(double|double-file|duplicate|re-?file|refile|twice)$/i.test(tokens[index + 1]?.raw ?? '');
    if (again) {
      while (index + 1 < tokens.length && !/^[,;:.?!–—-]$/.test(tokens[index + 1]?.word ?? '')) index += 1;
      continue;
    }
    const short = shortAnswer(tokens, index);
    if (short) {
      const said = tokens.slice(index, index + short.length).map((other) => other.raw.toLowerCase());
      out.push({ ...token, word: short.word, raw: said.join(' ') });
      index += short.length - 1;
      continue;
    }
    const not =
      token.kind === 'word' &&
      token.word === 'if' &&
      (tokens[index + 1]?.word === 'not' ||
        (tokens[index + 1]?.word === 'none' &&
          out.some((before) => /^(if|unless|in-that-case)$/.test(before.word))));
    const next = tokens[index + 2];
    const ends =
      next !== undefined &&
      (/^[,:]$/.test(next.word) ||
        next.word === 'then' ||
        (startsWrite(tokens, index + 2) &&
          (next.word !== 'comment' || out.some((before) => /^(if|unless)$/.test(before.word)))));
    if (not && ends) {
      out.push({ ...token, word: 'otherwise' });
      index += 1;
    } else out.push(token);
  }
  return out;
}
