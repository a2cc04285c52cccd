import { startsWrite } from '../words/grammar.ts';
import { mark, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';

/** The end of a sentence part: the place of the next break, or of the end. */
export function partEnd(tokens: readonly Token[], from: number, stops: RegExp): number {
  let end = from;
  while (end < tokens.length && !(tokens[end]?.kind === 'mark' && stops.test(tokens[end]?.word ?? '')))
    end += 1;
  return end;
}

/** "once you have noted …": the place of the order behind who did it. */
function havingAt(tokens: readonly Token[], index: number): number {
  const having =
    /^(you|we|i)$/.test(tokens[index + 1]?.word ?? '') && /^(have|'ve)$/.test(tokens[index + 2]?.word ?? '');
  return having ? index + 3 : index + 1;
}

/** "X, but only after Y" and "before X, Y" are said in the order in which they happen: "Y, then X". */
export function inOrder(tokens: readonly Token[]): Token[] {
  const at = tokens.findIndex(
    (token, index) =>
      token.kind === 'word' &&
      /^(after|before|only after|once|until|(?:but |and )?not before)$/.test(token.raw.toLowerCase()) &&
      startsWrite(tokens, havingAt(tokens, index)),
  );
  const token = tokens[at];
  if (!token) return [...tokens];
  const stop = partEnd(tokens, at, /^[;.!?]$/);
  let start = at;
  while (start > 0 && !(tokens[start - 1]?.kind === 'mark' && /^[;.!?]$/.test(tokens[start - 1]?.word ?? '')))
    start -= 1;
  const before = trimmed(tokens.slice(start, at));
  const comma = partEnd(tokens, at, /^[,;.!?]$/);
  const inside = tokens.slice(havingAt(tokens, at), before.length > 0 ? stop : comma);
  const rest = before.length > 0 ? [] : trimmed(tokens.slice(comma, stop));
  const other = before.length > 0 ? before : rest;
  if (other.length === 0 || !other.some((_, index) => startsWrite(other, index))) return [...tokens];
  const none = /^before/i.test(token.raw) && before.length === 0 ? checkedNone(other) : null;
  if (none)
    return [
      ...tokens.slice(0, start),
      word('if', token),
      ...none,
      mark(',', token),
      ...inside,
      ...tokens.slice(stop),
    ];
  const late = /^before/i.test(token.raw) ? inside : other;
  const early = aimed(/^before/i.test(token.raw) ? other : inside, late);
  return [...tokens.slice(0, start), ...early, word('then', token), ...late, ...tokens.slice(stop)];
}

/** "before you file it, check that there is no such ticket": filed only if there is none. */
function checkedNone(tokens: readonly Token[]): readonly Token[] | null {
  const checks = /^(check|find|let|show|get)$/.test(tokens[0]?.word ?? '');
  const at = tokens.findIndex((token) => token.word === 'none');
  const thing = tokens.some((token) => /^(ticket|bug|story|task|incident|one)$/.test(token.word));
  return checks && at > 0 && thing ? tokens.slice(1).filter((token) => token.word !== 'that') : null;
}

/** "after adding the note": the target of the other order is meant. */
function aimed(tokens: readonly Token[], other: readonly Token[]): readonly Token[] {
  const target = (token: Token): boolean => /^(key|id|channel|user|service)$/.test(token.kind);
  const annotates = tokens.some((token) => /^(note|comment)$/.test(token.word) && token.kind === 'word');
  if (!annotates || tokens.some(target)) return tokens;
  const kept = tokens.filter(
    (token, index) =>
      !(
        /^(it|there)$/.test(token.word) ||
        (token.word === 'on' && /^(it|there)$/.test(tokens[index + 1]?.word ?? ''))
      ),
  );
  const number = other.find(
    (token) =>
      token.kind === 'key' || token.kind === 'id' || (token.kind === 'number' && token.word.length > 2),
  );
  if (!number) return tokens;
  return [...kept, word('on', number), ...(number.kind === 'key' ? [] : [word('incident', number)]), number];
}

function trimmed(tokens: readonly Token[]): readonly Token[] {
  let rest = tokens;
  while (rest.length > 0 && /^(,|but|only|and|just|please|–|—|-)$/.test(rest.at(-1)?.word ?? ''))
    rest = rest.slice(0, -1);
  while (rest.length > 0 && /^(,|but|and|–|—|-)$/.test(rest[0]?.word ?? '')) rest = rest.slice(1);
  return rest;
}
