import { inverted } from './clause-heads.ts';
import { hasComparison } from './comparisons.ts';
import { startsWrite, verbAt } from './grammar.ts';
import { isBreak, isReceiver, word } from './marks.ts';
import type { Token } from './token.ts';

const arrow = /^(?:[-=]+>|→|⇒|⟶|➜|➔|= >)$/;
const state =
  /^(breached|at-risk|none|any|blocked|closed|unassigned|open|exceeds|lots|in progress|still|is|are|it|there|found|not|if|the|some|yes|no|already|yet|in|both|over|above|under|below|threshold|sla|limit|count|ticket|result|more-than|less-than)$/;
const core =
  /^(breached|at-risk|none|any|blocked|closed|unassigned|exceeds|in progress|open|more-than|less-than|over|above|under|below)$/;

function comma(like: Token): Token {
  return { kind: 'mark', word: ',', raw: ',', start: like.start, end: like.start };
}

/** "none", "still blocked", "exceeded", "over 5": words that say how something is, with nothing else. */
function isState(tokens: readonly Token[]): boolean {
  const words = tokens.filter((token) => token.kind === 'word');
  if (tokens.length === 0 || tokens.length > 7 || words.length < tokens.length) return false;
  return words.every((token) => state.test(token.word)) && words.some((token) => core.test(token.word));
}

function isCondition(tokens: readonly Token[]): boolean {
  return (
    isState(tokens) ||
    (hasComparison(tokens) && !startsWrite(tokens, 0)) ||
    isAge(tokens) ||
    isPresence(tokens)
  );
}

/** "any P1 in BKP that is unassigned": whether there is such a thing. */
function isPresence(tokens: readonly Token[]): boolean {
  return (
    /^(any|none)$/.test(tokens[0]?.word ?? '') &&
    tokens[0]?.kind === 'word' &&
    tokens.some(
      (token) =>
        /^(ticket|bug|story|task|incident|error|exception)$/.test(token.word) || token.kind === 'priority',
    ) &&
    !tokens.some((_, index) => startsWrite(tokens, index))
  );
}

/** "more bugs in QRY than in WH": two things against each other, without a verb. */
function isContest(tokens: readonly Token[]): boolean {
  const projects = tokens.filter((token) => /^(project|service)$/.test(token.kind));
  const more = tokens.findIndex((token) => /^(more|fewer|less|more-than|less-than)$/.test(token.word));
  const than = tokens.findIndex((token) => token.word === 'than' || /\bthan$/i.test(token.raw));
  return projects.length === 2 && more >= 0 && than >= more && verbAt(tokens, 0) < 0;
}

/** "FRD sev1 count above what the SLA permits": a number against its limit. */
function isOverLimit(tokens: readonly Token[]): boolean {
  const over = tokens.findIndex((token) =>
    /^(above|over|more-than|exceeds|beyond|under|below|less-than)$/.test(token.word),
  );
  const limit = tokens.findIndex((token) => /^(sla|threshold)$/.test(token.word));
  return over > 0 && limit > over && verbAt(tokens, 0) < 0;
}

/** "past 3 days": an age, where it stands alone. */
function isAge(tokens: readonly Token[]): boolean {
  return (
    tokens.length <= 3 &&
    tokens.some((token) => token.kind === 'duration') &&
    /^(last|over|above|more-than|older-than)$/.test(tokens[0]?.word ?? '')
  );
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
  const alone = isState(segment) || hasComparison(segment) || isContest(segment) || isOverLimit(segment);
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

const comparing =
  /^(more-than|over|above|at-least|less-than|under|below|at-most|between|and|or-more|or-less|exactly|than|to|from|-|–|together|is|it|the|any|none|some|exceeds|breached|at-risk|lots|or|\+|after|nothing)$/;

/** "above 15 page …", "none: say …": a comparison of nothing but words and numbers in front of an order. */
function statedAt(tokens: readonly Token[], index: number): number {
  let end = index;
  while (
    end < tokens.length &&
    (tokens[end]?.kind === 'number' || comparing.test(tokens[end]?.word ?? '')) &&
    !startsWrite(tokens, end)
  )
    end += 1;
  const segment = tokens.slice(index, end);
  const after = tokens[end]?.word === ':' || tokens[end]?.word === ',' ? end + 1 : end;
  const plain = /^[:]$/.test(tokens[end]?.word ?? '') ? isState(segment) : false;
  const last = end - 1;
  const idle =
    tokens[last]?.word === 'none' && isBreak(tokens[end]) && hasComparison(tokens.slice(index, last));
  if (idle) return last;
  const orders = startsWrite(tokens, after) || tokens[after]?.word === 'noop';
  return (hasComparison(segment) || plain) && orders ? end : -1;
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

/** "no hits": nothing of what was looked for. */
function lacks(out: Token[]): boolean {
  const start = segmentStart(out, out.length, /^[,;:.?!]$/);
  const first = out[start];
  if (first?.word !== 'none' || opened(out, out.length)) return false;
  out.splice(start, 0, word('if', first));
  return true;
}

/** "a P2 ticket in OPS", "new bug about it": one ticket, where an order should stand. */
function isNamedTicket(tokens: readonly Token[]): boolean {
  let at = 0;
  while (/^(a|an|the|new|one|another)$/.test(tokens[at]?.word ?? '')) at += 1;
  const start = at;
  while (tokens[at]?.kind === 'priority' || /^(bug|ticket|task|story)$/.test(tokens[at]?.word ?? '')) at += 1;
  const one = tokens.slice(start, at).some((token) => token.kind === 'word' && !/s$/i.test(token.raw));
  return one || (at > start && tokens[at]?.word === 'in' && tokens[at + 1]?.kind === 'project');
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
