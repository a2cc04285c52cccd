import { hasComparison } from '../words/comparisons.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak } from '../words/marks.ts';
import type { Token } from '../words/token.ts';

const state =
  /^(breached|at-risk|none|any|blocked|closed|unassigned|open|exceeds|lots|in progress|still|is|are|it|there|found|not|if|the|some|yes|no|already|yet|in|both|over|above|under|below|threshold|sla|limit|count|ticket|result|more-than|less-than)$/;

export const core =
  /^(breached|at-risk|none|any|lots|blocked|closed|unassigned|exceeds|in progress|open|more-than|less-than|over|above|under|below)$/;

/** "none", "still blocked", "exceeded", "over 5": words that say how something is, with nothing else. */
export function isState(tokens: readonly Token[]): boolean {
  const words = tokens.filter((token) => token.kind === 'word');
  if (tokens.length === 0 || tokens.length > 7 || words.length < tokens.length) return false;
  return words.every((token) => state.test(token.word)) && words.some((token) => core.test(token.word));
}

export function isCondition(tokens: readonly Token[]): boolean {
  return (
    isState(tokens) ||
    (hasComparison(tokens) && !startsWrite(tokens, 0)) ||
    isAge(tokens) ||
    isOverLimit(tokens) ||
    isPresence(tokens)
  );
}

/** "any P1 in BKP that is unassigned": whether there is such a thing. */
export function isPresence(tokens: readonly Token[]): boolean {
  return (
    /^(any|none)$/.test(tokens[0]?.word ?? '') &&
    tokens[0]?.kind === 'word' &&
    tokens.some(
      (token) =>
        /^(ticket|bug|story|task|incident|error|exception)$/.test(token.word) ||
        /^(priority|code)$/.test(token.kind),
    ) &&
    !tokens.some((_, index) => startsWrite(tokens, index))
  );
}

/** "more bugs in QRY than in WH": two things against each other, without a verb. */
export function isContest(tokens: readonly Token[]): boolean {
  const projects = tokens.filter((token) => /^(project|service)$/.test(token.kind));
  const more = tokens.findIndex((token) => /^(more|fewer|less|more-than|less-than)$/.test(token.word));
  const than = tokens.findIndex((token) => token.word === 'than' || /\bthan$/i.test(token.raw));
  return projects.length === 2 && more >= 0 && than >= more && verbAt(tokens, 0) < 0;
}

/** "FRD sev1 count above what the SLA permits": a number against its limit. */
export function isOverLimit(tokens: readonly Token[]): boolean {
  const over = tokens.findIndex((token) =>
    /^(above|over|more-than|more|fewer|exceeds|beyond|under|below|less-than|at-least|at-most)$/.test(
      token.word,
    ),
  );
  const limit = tokens.findIndex((token) => /^(sla|threshold)$/.test(token.word));
  return over >= 0 && limit > over + 1 && verbAt(tokens, 0) < 0;
}

/** "past 3 days": an age, where it stands alone. */
function isAge(tokens: readonly Token[]): boolean {
  return (
    tokens.length <= 3 &&
    tokens.some((token) => token.kind === 'duration') &&
    /^(last|over|above|more-than|older-than)$/.test(tokens[0]?.word ?? '') &&
    !/^l/i.test(tokens[0]?.raw ?? '')
  );
}

/** "…: breached, page X; only at risk, tell @bo": a state in front of each order, else -1. */
function stateEnd(tokens: readonly Token[], index: number): number {
  const before = tokens[index - 1];
  const at = /^(only|merely|just)$/i.test(tokens[index]?.raw ?? '') ? index + 1 : index;
  const state = tokens[at];
  const listed = before?.kind === 'mark' && /^[:;.–—-]$/.test(before.word);
  const named =
    state?.kind === 'word' && /^(breached|at-risk|blocked|closed|unassigned|in progress)$/.test(state.word);
  const orders = /^[,:]$/.test(tokens[at + 1]?.word ?? '') && startsWrite(tokens, at + 2);
  return listed && named && orders ? at + 1 : -1;
}

/** "at or above the limit, page …": the end of a bound against the limit in front of an order, else -1. */
function limitEnd(tokens: readonly Token[], index: number): number {
  let at = index;
  if (!/^(at-least|at-most|above|over|below|under|more-than|less-than|exceeds)$/.test(tokens[at]?.word ?? ''))
    return -1;
  at += 1;
  while (/^(the|its|that|this|sla)$/.test(tokens[at]?.word ?? '')) at += 1;
  const limit = tokens[at]?.word === 'threshold' || tokens[at - 1]?.word === 'sla';
  const end = tokens[at]?.word === 'threshold' ? at + 1 : at;
  return limit && /^[,:]$/.test(tokens[end]?.word ?? '') && startsWrite(tokens, end + 1) ? end : -1;
}

const comparing =
  /^(more-than|over|above|at-least|less-than|under|below|at-most|between|and|or-more|or-less|exactly|than|to|from|-|–|together|is|it|the|any|none|some|exceeds|breached|at-risk|lots|or|\+|after|nothing|there)$/;

/** "above 15 page …", "none: say …": a comparison of nothing but words and numbers in front of an order. */
export function statedAt(tokens: readonly Token[], index: number): number {
  const aged = tokens[index + 2]?.raw.toLowerCase() === 'old' ? index + 3 : index + 2;
  if (
    isAge(tokens.slice(index, aged)) &&
    /^[,:]$/.test(tokens[aged]?.word ?? '') &&
    startsWrite(tokens, aged + 1)
  )
    return aged;
  const state = stateEnd(tokens, index);
  if (state > 0) return state;
  const limit = limitEnd(tokens, index);
  if (limit > 0) return limit;
  let end = index;
  while (
    end < tokens.length &&
    (tokens[end]?.kind === 'number' || comparing.test(tokens[end]?.word ?? '')) &&
    !startsWrite(tokens, end)
  )
    end += 1;
  const segment = tokens.slice(index, end);
  const after = tokens[end]?.word === ':' || tokens[end]?.word === ',' ? end + 1 : end;
  const bare = segment.length <= 2 && /^(any|none|some|nothing)$/.test(segment[0]?.word ?? '') && index > 0;
  const plain = /^[:]$/.test(tokens[end]?.word ?? '') ? isState(segment) : bare && tokens[end]?.word === ',';
  const last = end - 1;
  const idle =
    tokens[last]?.word === 'none' && isBreak(tokens[end]) && hasComparison(tokens.slice(index, last));
  if (idle) return last;
  const orders = startsWrite(tokens, after) || tokens[after]?.word === 'noop';
  return (hasComparison(segment) || plain) && orders ? end : -1;
}

/** "a P2 ticket in OPS", "new bug about it": one ticket, where an order should stand. */
export function isNamedTicket(tokens: readonly Token[]): boolean {
  let at = 0;
  while (/^(a|an|the|new|one|another)$/.test(tokens[at]?.word ?? '')) at += 1;
  const start = at;
  while (tokens[at]?.kind === 'priority' || /^(bug|ticket|task|story)$/.test(tokens[at]?.word ?? '')) at += 1;
  const one = tokens.slice(start, at).some((token) => token.kind === 'word' && !/s$/i.test(token.raw));
  return one || (at > start && tokens[at]?.word === 'in' && tokens[at + 1]?.kind === 'project');
}
