import { inverted } from './clause-heads.ts';
import { hasComparison } from './comparisons.ts';
import { startsWrite, verbAt } from './grammar.ts';
import { isBreak, isReceiver, word } from './marks.ts';
import {
  core,
  isCondition,
  isContest,
  isNamedTicket,
  isOverLimit,
  isPresence,
  isState,
  statedAt,
} from './stated.ts';
import type { Token } from './token.ts';

const arrow = /^(?:[-=]+>|→|⇒|⟶|➜|➔|= >)$/;

function comma(like: Token): Token {
  return { kind: 'mark', word: ',', raw: ',', start: like.start, end: like.start };
}

/** The start of the words before `end` that have no break in them. */
function segmentStart(tokens: readonly Token[], end: number, stops: RegExp): number {
  let start = end;
  while (start > 0) {
    const before = tokens[start - 1];
    if (!before || (before.kind === 'mark' && stops.test(before.word))) break;
    if (before.kind === 'word' && /^(otherwise|then|if|unless|means|in-that-case)$/.test(before.word)) break;
    start -= 1;
  }
  return start;
}

/** True when an `if` of the same sentence still waits for its order. */
function opened(tokens: readonly Token[], end: number): boolean {
  for (let index = end - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (!token || (token.kind === 'mark' && /^[;.?!]$/.test(token.word))) return false;
    if (token.kind === 'word' && /^(if|unless)$/.test(token.word)) return true;
    if (startsWrite(tokens, index) || /^(then|otherwise|noop)$/.test(token.word)) return false;
  }
  return false;
}

/** Puts `if` before the words that end the list, when they are a condition. False when they are none. */
function conditional(out: Token[], like: Token): boolean {
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
  if (isReceiver(next)) out.push(word('post', token), word('to', token));
  if (makes && opened(out, out.length)) out.push(word('create', token));
}

/** "none? say …", "still blocked? then …": a question whose answer decides about the order behind it. */
function takeQuestion(tokens: readonly Token[], index: number, out: Token[]): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (!token || !next) return false;
  const start = segmentStart(out, out.length, /^[;:.?!]$/);
  const segment = out.slice(start);
  const then = next.word === 'then';
  const orders = startsWrite(tokens, index + 1) || arrow.test(next.word) || isReceiver(next);
  const zero = segment[0]?.kind === 'number' || (segment[0]?.word === 'none' && segment[0].kind === 'word');
  const strong = then || (zero && orders) || /^(page|create|move|close|resolve)$/.test(next.word);
  // "auth, no open incidents?": what is asked of a service that stands in front.
  const ofService =
    segment[0]?.kind === 'service' && segment[1]?.word === ',' && isPresence(segment.slice(2));
  const alone =
    ofService || isState(segment) || hasComparison(segment) || isContest(segment) || isOverLimit(segment);
  const keyed =
    segment.length <= 6 &&
    segment[0]?.kind === 'key' &&
    !isAlone(segment) &&
    !isReceiver(tokens[index + 2]) &&
    orders &&
    !/^(post|tell|notify|let)$/.test(next.word);
  const stateful =
    segment[0]?.kind === 'key' &&
    orders &&
    segment.some((part) => part.kind === 'word' && core.test(part.word));
  const asks =
    keyed || zero || stateful || segment.some((part) => part.kind === 'word' && core.test(part.word));
  if (
    !(alone && (orders || then)) &&
    !keyed &&
    !stateful &&
    !(asks && strong && /^(is|are|any|none|)$/.test(leadOf(segment)))
  )
    return false;
  if (!opened(out, out.length)) out.splice(start, 0, word('if', segment[0] ?? token));
  out.push(comma(token));
  if (isReceiver(next)) out.push(word('post', token), word('to', token));
  return true;
}

function isAlone(tokens: readonly Token[]): boolean {
  return tokens.filter((token) => token.kind === 'key').length === tokens.length;
}

/** The verb a question starts with; empty when it has none. */
function leadOf(tokens: readonly Token[]): string {
  const at = verbAt(tokens, 0);
  return at < 0 ? '' : (tokens[at]?.word ?? '');
}

/** Brings arrows, question-and-answer and bare comparisons to the form "if …, …". */
export function expandShorthand(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const next = tokens[index + 1];
    if ((arrow.test(token.raw) || equates(token, out)) && !/^(key|quote)$/.test(token.kind)) {
      takeArrow(token, tokens.slice(index + 1), out);
      continue;
    }
    const asks = /^what$/i.test(next?.raw ?? '') && isBreak(tokens[index + 2]);
    if (token.kind === 'word' && token.word === 'means' && (!next || isBreak(next) || asks)) {
      out.push({ ...token, word: 'mean' });
      continue;
    }
    if (
      token.kind === 'word' &&
      token.word === 'means' &&
      tokens.slice(Math.max(0, index - 4), index).some((before) => /\bwhat\b/i.test(before.raw))
    ) {
      out.push({ ...token, word: 'mean' });
      continue;
    }
    if (token.kind === 'word' && token.word === 'means' && conditional(out, token)) {
      out.push(comma(token));
      continue;
    }
    if (
      token.kind === 'mark' &&
      token.word === ':' &&
      isNamedTicket(tokens.slice(index + 1)) &&
      (lacks(out) || conditional(out, token))
    ) {
      out.push(comma(token), word('create', token));
      continue;
    }
    if (
      token.kind === 'mark' &&
      token.word === ':' &&
      startsWrite(tokens, index + 1) &&
      overLimit(out) &&
      conditional(out, token)
    ) {
      out.push(comma(token));
      continue;
    }
    if (token.kind === 'mark' && token.word === ':' && lacking(tokens, index, out)) {
      out.push(comma(token));
      continue;
    }
    if (token.kind === 'word' && joined(tokens, index, out) && conditional(out, token)) {
      out.push(comma(token));
      continue;
    }
    if (token.kind === 'mark' && token.word === '?' && takeQuestion(tokens, index, out)) continue;
    const starts = isBreak(tokens[index - 1]) || /^(and|but)$/.test(tokens[index - 1]?.word ?? '');
    const end = starts && !opened(out, out.length) ? statedAt(tokens, index) : -1;
    if (end > index) {
      out.push(word('if', token), ...tokens.slice(index, end), comma(token));
      if (tokens[end]?.word === 'none') {
        out.push(word('noop', token));
        index = end;
        continue;
      }
      index = /^[:,]$/.test(tokens[end]?.word ?? '') ? end : end - 1;
      continue;
    }
    if (token.word === 'then' && token.kind === 'word' && statedBefore(out)) conditional(out, token);
    if (token.kind === 'word' && token.word === 'should' && inverted(tokens, index)) {
      out.push({ ...token, word: 'if' });
      continue;
    }
    out.push(token);
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

/** "no hits": nothing of what was looked for. */
function lacks(out: Token[]): boolean {
  const start = segmentStart(out, out.length, /^[,;:.?!]$/);
  const first = out[start];
  if (first?.word !== 'none' || opened(out, out.length)) return false;
  out.splice(start, 0, word('if', first));
  return true;
}

/** "no incidents on cart: post …": a lack in front of an order. */
function lacking(tokens: readonly Token[], index: number, out: Token[]): boolean {
  const start = segmentStart(out, out.length, /^[,;:.?!]$/);
  const first = out[start];
  if (first?.word !== 'none' || !startsWrite(tokens, index + 1) || opened(out, out.length)) return false;
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
