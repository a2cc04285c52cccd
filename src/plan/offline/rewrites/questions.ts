import { hasComparison } from '../words/comparisons.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { arrow, comma, opened, segmentStart } from './segments.ts';
import { core, isContest, isOverLimit, isPresence, isState } from './stated.ts';

/** "none? say …", "still blocked? then …": a question whose answer decides about the order behind it. */
export function takeQuestion(tokens: readonly Token[], index: number, out: Token[]): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (!token || !next) return false;
  const start = segmentStart(out, out.length, /^[;:.?!]$/);
  const segment = out.slice(start);
  const then = next.word === 'then';
  const orders = startsWrite(tokens, index + 1) || arrow.test(next.word) || isReceiver(next);
  const zero =
    segment[0]?.kind === 'number' ||
    (/^(none|unmoved)$/.test(segment[0]?.word ?? '') && segment[0]?.kind === 'word');
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
    keyed ||
    zero ||
    stateful ||
    segment[0]?.word === 'lots' ||
    segment.some((part) => part.kind === 'word' && core.test(part.word));
  if (
    !(alone && (orders || then)) &&
    !keyed &&
    !stateful &&
    !(segment[0]?.word === 'lots' && orders) &&
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
