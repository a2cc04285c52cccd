import { hasComparison } from '../words/comparisons.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { inverted } from '../words/heads.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { takeQuestion } from './questions.ts';
import { arrow, comma, opened, segmentStart } from './segments.ts';
import { isCondition, isNamedTicket, isOverLimit, isState, statedAt } from './stated.ts';

/** Puts `if` before the words that end the list, when they are a condition. False when they are none. */
function conditional(out: Token[], like: Token): boolean {
  const comma = out.findLastIndex((token) => token.word === ',' && token.kind === 'mark');
  const early = out.slice(0, Math.max(comma, 0));
  if (
    comma > 0 &&
    isState(out.slice(comma + 1)) &&
    early.some(
      (token, at) =>
        token.word === 'if' &&
        early.slice(at).some((other) => other.kind === 'key' || startsWrite([other], 0)),
    )
  ) {
    out.splice(comma, 1, { ...(out[comma] ?? like), word: ';', raw: ';' }, word('if', like));
    return true;
  }
  if (opened(out, out.length)) return true;
  for (const stops of [/^[,;:.?!()–—-]$/, /^[;:.?!()]$/, /^[;.?!]$/]) {
    const start = segmentStart(out, out.length, stops);
    const segment = out.slice(start);
    if (!isCondition(segment)) continue;
    if (verbAt(segment, 0) >= 0 && !/^(is|are|any|none|check|count)$/.test(segment[0]?.word ?? '')) continue;
    out.splice(start, 0, word('if', segment[0] ?? like));
    return true;
  }
  return false;
}

function startsSomething(token: Token | undefined): boolean {
  return isReceiver(token) || (token !== undefined && startsWrite([token], 0));
}

/** Words without things in front of an arrow are meant as a condition, even where it is not understood: it is asked. */
function guarded(out: Token[], like: Token): boolean {
  const start = segmentStart(out, out.length, /^[,;:.?!()–—-]$/);
  const segment = out.slice(start);
  const plain = segment.length > 0 && segment.length <= 5 && segment.every((token) => token.kind === 'word');
  const reads =
    /^(count|list|find|show|get|check|compare|summarize|how many|who|which|post|page|ticket|incident|on-call|runbook|summary|result|link)$/;
  if (start === 0 || !plain || segment.some((token) => reads.test(token.word))) return false;
  out.splice(start, 0, word('if', segment[0] ?? like));
  return true;
}

/** "→ the number in #ops": what is posted, and where. */
function isSent(tokens: readonly Token[]): boolean {
  let at = 0;
  while (/^(the|a|its|just|only)$/.test(tokens[at]?.word ?? '')) at += 1;
  const thing = /^(result|list|count|summary|link|number)$/.test(tokens[at]?.word ?? '');
  return thing && /^(to|in)$/.test(tokens[at + 1]?.word ?? '') && isReceiver(tokens[at + 2]);
}

/** "→ #ops" posts; an arrow behind a condition gives its order, any other arrow only what comes next. */
function takeArrow(token: Token, rest: readonly Token[], out: Token[]): void {
  const next = rest[0];
  // "run this in splunk -> index=…": the query of the order before.
  if (next?.kind === 'query') return;
  const before = out.at(-1);
  const makes = isNamedTicket(rest);
  const status = before?.kind === 'key' && next?.kind === 'word' && !isReceiver(next);
  if (status && !opened(out, out.length)) {
    out.push(token);
    return;
  }
  if (before?.word === 'otherwise' || before?.word === 'in-that-case') {
    if (isReceiver(next)) out.push(word('post', token), word('to', token));
    return;
  }
  if (conditional(out, token) || (startsSomething(next) && guarded(out, token))) out.push(comma(token));
  else if (out.length > 0) out.push(word('then', token));
  if (isReceiver(next) || isSent(rest))
    out.push(word('post', token), ...(isReceiver(next) ? [word('to', token)] : []));
  if (makes && opened(out, out.length)) out.push(word('create', token));
}

/** One shorthand at one place: it adds to `out` and answers how many tokens it took, or 0 where it does not fit. */
type Shorthand = (tokens: readonly Token[], index: number, out: Token[]) => number;

const arrows: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  if (!token || /^(key|quote)$/.test(token.kind) || !(arrow.test(token.raw) || equates(token, out))) return 0;
  takeArrow(token, tokens.slice(index + 1), out);
  return 1;
};

/** "what does it mean", "E-17 means what?" ask; "none means …" decides. */
const meaning: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (token?.kind !== 'word' || token.word !== 'means') return 0;
  const asks = /^what$/i.test(next?.raw ?? '') && isBreak(tokens[index + 2]);
  const asked = tokens.slice(Math.max(0, index - 4), index).some((before) => /\bwhat\b/i.test(before.raw));
  if (!next || isBreak(next) || asks || asked) out.push({ ...token, word: 'mean' });
  else if (conditional(out, token)) out.push(comma(token));
  else return 0;
  return 1;
};

const colons: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  if (token?.kind !== 'mark' || token.word !== ':') return 0;
  const orders = startsWrite(tokens, index + 1);
  if (isNamedTicket(tokens.slice(index + 1)) && (lacks(out) || conditional(out, token)))
    out.push(comma(token), word('create', token));
  else if (orders && ((overLimit(out) && conditional(out, token)) || lacks(out))) out.push(comma(token));
  else return 0;
  return 1;
};

const joins: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || !joined(tokens, index, out) || !conditional(out, token)) return 0;
  out.push(comma(token));
  return 1;
};

const asked: Shorthand = (tokens, index, out) =>
  tokens[index]?.kind === 'mark' && tokens[index]?.word === '?' && takeQuestion(tokens, index, out) ? 1 : 0;

/** "above 15 page …", "none: say …". */
const stated: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  const starts = isBreak(before) || /^(and|but)$/.test(before?.word ?? '');
  const end = starts && !opened(out, out.length) ? statedAt(tokens, index) : -1;
  if (!token || end <= index) return 0;
  out.push(word('if', token), ...tokens.slice(index, end), comma(token));
  const last = tokens[end]?.word ?? '';
  if (last === 'none') out.push(word('noop', token));
  return end - index + (/^(none|[:,])$/.test(last) ? 1 : 0);
};

const inversions: Shorthand = (tokens, index, out) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || token.word !== 'should' || !inverted(tokens, index)) return 0;
  out.push({ ...token, word: 'if' });
  return 1;
};

const shorthands: readonly Shorthand[] = [arrows, meaning, colons, joins, asked, stated, inversions];

/** Brings arrows, question-and-answer and bare comparisons to the form "if …, …". */
export function expandShorthand(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    let taken = 0;
    for (const shorthand of shorthands) if (taken === 0) taken = shorthand(tokens, index, out);
    if (taken === 0) {
      if (token.word === 'then' && token.kind === 'word' && statedBefore(out)) conditional(out, token);
      out.push(token);
    }
    index += Math.max(taken, 1);
  }
  return out;
}

/** "breached = page X": an equals sign behind words that say how something is. */
function equates(token: Token, out: readonly Token[]): boolean {
  const segment = out.slice(segmentStart(out, out.length, /^[,;:.?!()–—-]$/));
  return token.raw === '=' && !opened(out, out.length) && isCondition(segment);
}

/** "5 or more and its on-call gets paged": a comparison and an order, joined as if both were said. */
function joined(tokens: readonly Token[], index: number, out: readonly Token[]): boolean {
  if (tokens[index]?.word !== 'and' || !startsWrite(tokens, index + 1) || opened(out, out.length))
    return false;
  const segment = out.slice(segmentStart(out, out.length, /^[,;:.?!()–—-]$/));
  return hasComparison(segment) && verbAt(segment, 0) < 0;
}

/** The words since the last break hold a number against its limit. */
function overLimit(out: readonly Token[]): boolean {
  return isOverLimit(out.slice(segmentStart(out, out.length, /^[,;:.?!()–—-]$/)));
}

/** "no hits", "no incidents on cart": nothing of what was looked for. */
function lacks(out: Token[]): boolean {
  const start = segmentStart(out, out.length, /^[,;:.?!]$/);
  const first = out[start];
  if (first?.word !== 'none' || opened(out, out.length)) return false;
  out.splice(start, 0, word('if', first));
  return true;
}

/** "INFR p1 open < 3 then …": a comparison without a verb in front of `then`. */
function statedBefore(out: readonly Token[]): boolean {
  const start = segmentStart(out, out.length, /^[;:.?!]$/);
  const segment = out.slice(start);
  const ordered = segment.some((_, index) => startsWrite(segment, index));
  return hasComparison(segment) && verbAt(segment, 0) < 0 && !ordered && !opened(out, out.length);
}
