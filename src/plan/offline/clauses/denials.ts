import type { Manifest } from '../../../core/manifest.ts';
import { deniedBehind } from '../frames/edges.ts';
import { fillFrame } from '../frames/frames.ts';
import { argsThatTake } from '../frames/takes.ts';
import { is, isAll, isAlone, isDescribed, lowAt, phraseIn, range, type Text } from '../words/text.ts';
import type { Draft } from './clause.ts';
import { topicsAt } from './statements.ts';

/** What is not to be done, not to anybody, or left as it is. */

const acting = ['verb', 'noun', 'also'];
const ruling = [...acting, 'negation', 'anyone', 'pronoun', 'condition', 'result'];

const nothing = { kind: 'forbid', tools: [], frame: null, things: [], left: [] } as const;

/** "leave 40773 for the next shift", "leave the status as it is": nothing is to be done with it. */
function leaves(text: Text, span: readonly number[], first: number): Draft | null {
  const says = (index: number): boolean =>
    /^[#@]/u.test(text.words[index]?.raw ?? '') ||
    is(text, index, 'quote') ||
    (index > first &&
      is(text, index, 'verb write') &&
      !isAlone(text, index, 'value') &&
      !isDescribed(text, index));
  if (span.some(says)) return null;
  const things = span.flatMap((index) => topicsAt(text, index));
  // "resolve 30917 and leave it unresolved": nothing at all is done to what is pointed at.
  const points = is(text, first + 1, 'pronoun thing', 'pronoun issue', 'pronoun incident');
  const isHeld = (tool: Manifest): boolean =>
    points ? argsThatTake(tool, 'issue', 'incident').length > 0 : tool.asked?.role === 'move';
  const writes = [...text.lexicon.tools.values()].filter(({ effect }) => effect === 'write');
  const tools = things.length > 0 ? [] : writes.filter(isHeld).map(({ name }) => name);
  return { kind: 'forbid', tools, frame: null, things, left: [], score: span.length - 0.5 };
}

/** "read only", "no notifications", "else nothing": words that rule out all there is to do. */
function allOf(text: Text, span: readonly number[]): Draft | null {
  const isElse = range((span[0] ?? 0) - 2, span[0] ?? 0).some((index) => is(text, index, 'else'));
  if (isElse && span.every((index) => is(text, index, 'empty', 'nobody')))
    return { ...nothing, score: span.length };
  if (!isAll(text, span, 'readonly')) return null;
  // "no need to notify anyone": a ticket may still change.
  const reaches = (tool: Manifest): boolean => argsThatTake(tool, 'channel', 'user', 'service').length > 0;
  const isUntold = isAll(text, span, 'readonly untold');
  const tools = [...text.lexicon.tools.values()]
    .filter((tool) => tool.effect === 'write' && (!isUntold || reaches(tool)))
    .map(({ name }) => name);
  return { ...nothing, tools, score: span.length };
}

/** Tools that words rule out, and the words that say something else; null where something is to be done instead. */
function deniedIn(
  text: Text,
  span: readonly number[],
  first: number,
): { named: ReadonlySet<string>; odd: readonly number[] } | null {
  const isWrite = (name: string): boolean => text.lexicon.tools.get(name)?.effect === 'write';
  const [odd, named] = [[] as number[], new Set<string>()];
  for (let at = 0; at < span.length; ) {
    const index = span[at] as number;
    const phrase = phraseIn(text, span, at, ...ruling);
    // "no open incident" is looked up; what is ruled out is an act.
    const isFound = phrase?.tags.has('noun read') || phrase?.tags.has('value read');

    // "no paging, just tell #ops …": what is to be done instead. "not acked, page ops": nothing was ruled out before.
    // "I don't want to wake anybody, so please page ops only if …"
    const isSo =
      range(first, index).some((at) => is(text, at, 'so_that')) &&
      range(index - 2, index).every((at) => is(text, at, 'polite', 'so_that', 'mark'));
    const isInstead =
      (isSo ||
        is(text, index - 1, 'only', 'so_that', ...(index > first && named.size === 0 ? ['mark'] : []))) &&
      phrase?.tags.has('verb write');
    if (isInstead) return null;
    const roles = phrase?.tags.has('verb write') ? ['verb'] : acting;
    if (phrase && index - first <= 4 && !isFound)
      for (const { role, of } of phrase.senses) if (roles.includes(role) && isWrite(of)) named.add(of);
    const isNamed = phrase?.senses.some(({ of }) => named.has(of));
    const isKnown = phrase ?? is(text, index, 'empty', 'channel', 'user', 'service', 'issue', 'incident');
    // "no page, and add a comment": what is ordered behind it is not ruled out.
    const isOrder = phrase?.tags.has(is(text, index - 1, 'mark') ? 'verb' : 'verb write');
    if (!isKnown || (isOrder && !isNamed)) odd.push(index);
    at += phrase?.length ?? 1;
  }
  return { named, odd };
}

/** "page checkout (not payments)": a name beside an order, and nothing else. */
const isBeside = (text: Text, span: readonly number[], first: number): boolean =>
  lowAt(text, first) !== 'no' &&
  span.some((index) => topicsAt(text, index).length > 0) &&
  range(0, first).some((index) => is(text, index, 'verb write') && !isAlone(text, index, 'value')) &&
  span.every((index) => is(text, index, 'empty', 'negation', 'thing'));

/** "don't page anyone", "no notifications", "page nobody": tools that are ruled out. */
export function forbids(text: Text, span: readonly number[]): Draft[] {
  const all = allOf(text, span);
  if (all !== null) return [all];
  const first = span.find((index) => !is(text, index, 'empty') || is(text, index, 'negation')) ?? -1;
  // "leave out what ana owns" narrows what is looked up.
  const isSpared = is(text, first, 'leaving') && lowAt(text, first + 1) !== 'out';
  const spared = isSpared ? leaves(text, span, first) : null;
  if (spared !== null) return [spared];
  const denied = span.find((index) => is(text, index, 'negation')) ?? -9;
  if (denied !== first && denied !== deniedBehind(text, first)) return [];
  // "link nothing, then let @dev know": what is ordered behind it is not ruled out.
  const orders = (at: number): boolean =>
    at > denied && is(text, at, 'verb write') && is(text, at - 1, 'mark', 'and', 'then');
  if (denied !== first && span.some(orders)) return [];
  // "if there are none tell #ops": nothing is ruled out.
  const isNone = isAlone(text, denied, 'exists none') && lowAt(text, denied) !== 'no';
  const isImperative = is(text, denied + 1, 'verb write') && !/s$|^be$/u.test(lowAt(text, denied + 1));
  const found = isNone && isImperative ? null : deniedIn(text, span, first);
  if (found === null || (found.named.size === 0 && !isBeside(text, span, first))) return [];
  const frames = [...found.named]
    .flatMap((name) => text.lexicon.tools.get(name) ?? [])
    .map((tool) => fillFrame(text, tool, span));
  const frame = frames.find(({ verb, filling }) => verb && filling.size > 0) ?? null;
  // "don't page ledger": a name that stands where a target does.
  const left = found.odd.filter((index) => !(frame?.filling.has(index) && is(text, index, 'unknown')));
  const things = span.flatMap((index) => topicsAt(text, index));
  const score = span.length - 3 * left.length - 0.5;
  // "tell them nothing - just post it in #ops": others may well be told.
  const tools = is(text, denied - 1, 'pronoun person') ? [] : [...found.named];
  return [{ ...nothing, tools, frame, things, left, score }];
}
