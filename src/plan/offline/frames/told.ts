import type { Manifest } from '../../../core/manifest.ts';
import { is, isAlone, isBound, lowAt, once, range, saysIn, type Text } from '../words/text.ts';
import { aimed, endOf, headBefore, isOwn, ownTail, rulesOut, targets } from './edges.ts';

/**
 * What an order says to somebody: behind its colon, "page ops: …", behind the pause of a page, "page ops, …", or behind its
 * target, "tell #ops we …". It is passed on as it was said. Behind a mark none of its words orders, asks or rules out
 * anything; without one they say no time at which to look again, and are not refused.
 */
export interface Told {
  readonly tool: Manifest;
  readonly from: number;
  /** Where the text ends. What stands behind it up to `end` says more of the order: "…, low urgency". */
  readonly to: number;
  readonly end: number;
}

export const toldIn = (text: Text): readonly Told[] => once(text, 'told', () => find(text));

/** What is passed on from a token on. */
export const toldFrom = (text: Text, index: number): Told | undefined =>
  once(text, 'told from', () => new Map(toldIn(text).map((told) => [told.from, told]))).get(index);

/** Whether a token is passed on as it was said: behind a colon, or in words that say something to somebody. */
export const isTold = (text: Text, index: number): boolean =>
  once(text, 'all told', () => [...toldIn(text), ...sayings(text)]).some(
    ({ from, to }) => index >= from && index < to,
  );

function find(text: Text): Told[] {
  const found: Told[] = [];
  for (const index of text.words.keys()) {
    const from = index + 1;
    const isSaying = begins(text, from);
    const isStrong = lowAt(text, index) === ':' || isSaying || tasks(text, from);
    const isFree =
      (isStrong || isPause(text, index)) &&
      found.every(({ end }) => end <= index) &&
      !is(text, from, 'quote');
    const tool = isFree ? headBefore(text, is(text, index, 'mark') ? index : from) : null;
    if (tool === null || from >= text.words.length) continue;
    const end = endOf(text, from, isSaying);
    // "who do I call about checkout, ok?", "…, thanks": nothing is said to anybody.
    if (!isStrong && range(from, end).every((at) => is(text, at, 'empty', 'silent'))) continue;
    // "page ops, low urgency, …": only a page says what is wrong behind a pause, and a ticket in a sentence.
    const pause = range(from, end).find((at) => is(text, at, 'mark')) ?? end;
    const says = tool.asked?.role === 'create' && saysIn(text, range(from, pause), 'saying');
    const isSaid =
      isStrong || ((tool.oncePer !== undefined || says) && !isOwn(text, tool, range(from, pause)));
    if (isSaid) found.push({ tool, from, to: ownTail(text, tool, from, end), end });
  }
  return found;
}

/** "tell #ops we are on it", "message @ben please check …", "ask @ana if …": words for somebody, right behind whom they are for. */
function begins(text: Text, from: number): boolean {
  if (!is(text, from - 1, ...aimed)) return false;
  // "tell #ops we know"
  const isShort = is(text, from, 'whoever asks') && from + 2 === text.words.length;
  const speaks =
    is(text, from, 'speaking') &&
    (isShort || saysIn(text, range(from, from + 3), 'saying', 'contracted', 'advising'));
  const asks = (is(text, from, 'asking') && isRequested(text, from)) || asksFor(text, from);
  const says = range(from + 1, text.words.length).some((at) => !is(text, at, 'empty'));
  // "tell #ops OPS-12 is still open"
  const states =
    is(text, from + 1, 'saying', 'contracted') &&
    (is(text, from, 'issue', 'incident') ||
      (is(text, from, 'service') && !saysIn(text, range(from, text.words.length), 'if', 'unless')));
  return speaks || asks || states || (is(text, from, 'addressing') && says && !is(text, from + 1, 'and'));
}

/** "ask @ana to check PAY-3 and close it": what somebody is to do, right behind whom it is for. */
const tasks = (text: Text, from: number): boolean =>
  lowAt(text, from - 1) === 'to' &&
  is(text, from - 2, ...targets) &&
  saysIn(text, range(from - 5, from - 2), 'telling verbs') &&
  !is(text, from, 'channel', 'user');

/** "ask @ana for an update", "ask #ops if someone deployed": it is said as "asking for an update". */
export const asksFor = (text: Text, from: number): boolean =>
  (isAlone(text, from, 'whether') || (lowAt(text, from) === 'for' && !is(text, from + 1, 'thing'))) &&
  isRequested(text, from);

const isRequested = (text: Text, from: number): boolean => saysIn(text, range(from - 3, from), 'requesting');

/** "page ops, disk is full", "page ops - 500s since 14:10": nothing is ordered, asked or ruled out behind it, and no other target is named. */
function isPause(text: Text, index: number): boolean {
  const next = index + 1;
  const isNamed = is(text, next, ...targets) && !is(text, next + 1, 'saying');
  const isBounded = text.words[next]?.things.some(({ length }) =>
    is(text, next + length, 'compareAfter', 'up to'),
  );
  return (
    /^[,–—-]$/u.test(lowAt(text, index)) &&
    !isNamed &&
    !isBounded &&
    // "page ops over 20, for 3 days": a watch whose limit was said.
    !range(index - 4, index).some((at) => isBound(text, at)) &&
    !saysIn(text, range(next, next + 4), 'leadsTo') &&
    (isHelpless(text, next) || !is(text, next, ...turns))
  );
}

const turns = ['mark', 'verb', 'condition', 'asking', 'negation', 'compare', 'exists', 'mends', 'only'];

/** "nobody can pay" is what is wrong; "nobody is to be paged" rules something out. */
const isHelpless = (text: Text, at: number): boolean =>
  isAlone(text, at, 'anyone') && is(text, at + 1, 'saying', 'asks kindly') && !rulesOut(text, at);

/** "page ops because …", "tell #ops we …": what is said to them, but for what may hold for the order itself. */
function sayings(text: Text): Told[] {
  return range(1, text.words.length).flatMap((from) => {
    const tool = is(text, from - 1, ...aimed) ? headBefore(text, from) : null;
    if (tool === null || is(text, from, 'mark', 'condition', 'asking', 'quote')) return [];
    const end = endOf(text, from, true);
    const words = range(from, end);
    // "tell #ops daily how many are open" asks for something.
    const states = saysIn(text, words, 'saying') && !saysIn(text, words, 'verb read');
    const says = is(text, from, 'telling', 'speaking') || states;
    return says ? [{ tool, from, to: end, end }] : [];
  });
}
