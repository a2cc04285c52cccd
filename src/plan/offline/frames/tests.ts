import { type Lasting, type Operator, opposite } from '../steps/draft.ts';
import { is, isAll, isAlone, isEmpty, lowAt, range, saysIn, type Text } from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { minutesOf } from '../words/times.ts';
import type { Frame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { readsOf } from './reads.ts';
import { existsIn, meantBy, statesIn } from './stated.ts';
import type { Said, Test } from './test.ts';

type Span = readonly number[];

/** A comparison from one token to another; "not" before it turns it round. */
function comparing(text: Text, said: string, from: number, to: number): { op: Operator; tokens: number[] } {
  const [op, isDenied] = [said as Operator, isAlone(text, from - 1, 'negation')];
  return isDenied ? { op: opposite[op], tokens: range(from - 1, to) } : { op, tokens: range(from, to) };
}

interface Quantity {
  readonly kind: 'number' | 'minutes';
  readonly value: number;
  readonly end: number;
  readonly thing: Thing;
}

export function quantityAt({ words }: Text, index: number): Quantity | null {
  const here = words[index]?.things;
  const thing = here?.find(({ kind }) => kind === 'duration') ?? here?.find(({ kind }) => kind === 'number');
  if (!thing) return null;
  const end = index + thing.length;
  return thing.kind === 'number'
    ? { kind: 'number', value: Number(thing.value), end, thing }
    : { kind: 'minutes', value: minutesOf(thing.value), end, thing };
}

/** "more than 5", "older than 2 days": a comparison before its number. */
function before(text: Text, index: number, span: Span): Said[] {
  const compare = meantBy(text, span, index, 'compare');
  const idle = meantBy(text, span, index, 'idle');
  const found = [meantBy(text, span, index, 'older'), idle, compare].filter((one) => one !== null);
  for (const { of, end } of found.sort((a, b) => b.end - a.end)) {
    const isSkipped = (at: number): boolean =>
      is(text, at, 'before number') && !is(text, at, 'duration', 'number');
    const at = span.find((one) => one >= end && !isSkipped(one)) ?? -1;
    const quantity = quantityAt(text, at);
    if (!quantity || (quantity.kind === 'number' && of !== compare?.of)) continue;
    const last = quantity.end + (lowAt(text, quantity.end) === 'old' ? 1 : 0);
    const { op, tokens } = comparing(text, of, index, last);
    const isLeft = range(last, last + 3).some((one) => is(text, one, 'time left'));
    const by = end === idle?.end ? 'idle' : isLeft ? 'left' : 'age';
    return [{ test: testOf(quantity, op, by), tokens }];
  }
  return [];
}

export const testOf = ({ kind, value }: Quantity, op: Operator, by: Lasting = 'age'): Test =>
  kind === 'number' ? { kind, op, value } : { kind, by, op, value };

/** "25 or more", "10 open tickets or more": a comparison behind its number. "If 0", "0 open P1s": none. */
function behind(text: Text, index: number, span: Span): Said[] {
  const quantity = quantityAt(text, index);
  if (!quantity) return [];
  const { kind, end } = quantity;
  const next = meantBy(text, span, end, 'compareAfter');
  if (next) {
    const { op, tokens } = comparing(text, next.of, index, next.end);
    return [{ test: testOf(quantity, op), tokens }];
  }
  const later = span.find((at) => at > end && is(text, at, 'or more')) ?? -1;
  const far = kind === 'number' ? meantBy(text, span, later, 'compareAfter') : null;
  const tokens = [...range(index, end), ...range(later, far?.end ?? later)];
  if (far !== null) return [{ test: testOf(quantity, far.of as Operator), tokens }];
  return kind === 'number' && quantity.value === 0 ? [{ test: testOf(quantity, '=='), tokens }] : [];
}

/** "3 to 6", "from 3 to 6", "between 3 and 6". */
function between(text: Text, index: number): Said[] {
  const word = is(text, index, 'ranging') ? 1 : 0;
  const from = quantityAt(text, index + word);
  if (from?.kind !== 'number') return [];
  const isJoined = is(text, from.end, 'up to') || (word > 0 && lowAt(text, from.end) === 'and');
  const to = isJoined ? quantityAt(text, from.end + 1) : null;
  if (to?.kind !== 'number') return [];
  const tokens = range(index, to.end);
  return [
    { test: { kind: 'number', op: '>=', value: from.value }, tokens },
    { test: { kind: 'number', op: '<=', value: to.value }, tokens },
  ];
}

/** All comparisons with a number or a duration, in order, without overlaps. */
function quantitiesIn(text: Text, span: Span): Said[] {
  const found: Said[] = [];
  if (!saysIn(text, span, 'number', 'duration', 'ranging')) return found;
  for (const index of span) {
    if (found.some(({ tokens }) => index <= (tokens.at(-1) ?? -1))) continue;
    const ways = [between, before, behind].values().map((way) => way(text, index, span));
    found.push(...(ways.find(({ length }) => length > 0) ?? []));
  }
  return found;
}

/** The limit that the end of a span asks for, and nothing else. */
function limitBehind(text: Text, span: Span, at: number): Frame | undefined {
  const behind = span.filter((index) => index > at);
  const isLimit = ({ left, tool }: Frame): boolean => left.length === 0 && tool.asked?.role === 'limit';
  return saysIn(text, behind, 'noun limit') ? readsOf(text, behind, 'count').find(isLimit) : undefined;
}

/** "more open bugs in QRY than in WH", "or more than 5 in PAY": only what differs is said of the other side. */
export function differing(text: Text, span: Span): Frame | undefined {
  const tool = text.lexicon.byRole.get('count');
  const frame = tool && fillFrame(text, tool, span);
  return frame && frame.left.length === 0 && frame.slots.size > 0 ? frame : undefined;
}

/** "more than the SLA allows", "outnumber those in ORD": a comparison with what another look-up gives. */
function thanIn(text: Text, span: Span): Said[] {
  const first = span.find((index) => is(text, index, 'more', 'fewer')) ?? -1;
  const than = span.find((index) => index > first + 1 && lowAt(text, index) === 'than') ?? -1;
  const behind = span.filter((index) => index > than);
  const isBoth = first >= 0 && than >= 0;
  const apart = isBoth ? (limitBehind(text, span, than) ?? differing(text, behind)) : undefined;
  if (apart) {
    const test = { kind: 'than', op: is(text, first, 'more') ? '>' : '<', frame: apart } as const;
    const about = span.filter((index) => index < than && index !== first);
    return [{ test, tokens: [first, ...span.filter((index) => index >= than)], about }];
  }
  for (const index of span) {
    const compare = meantBy(text, span, index, 'compare');
    const frame = compare && limitBehind(text, span, compare.end - 1);
    if (!frame) continue;
    const { op, tokens } = comparing(text, compare.of, index, compare.end);
    const about = span.filter((other) => other < (tokens[0] ?? index));
    return [{ test: { kind: 'than', op, frame }, tokens, about }];
  }
  return [];
}

/** "compare the open P1 count with the SLA": a limit that a number is held against. */
function versusIn(text: Text, span: Span): Said[] {
  const words = span.filter((at) => meantBy(text, span, at, 'comparing'));
  // "P1 and P2 against the SLA": of the words that may set two things against each other the last one does.
  for (const at of span.toReversed()) {
    if (!meantBy(text, span, at, 'versus') || (words.length === 0 && !is(text, at, 'against'))) continue;
    const frame = limitBehind(text, span, at);
    if (!frame) continue;
    const tokens = [...words, ...span.filter((other) => other >= at)];
    return [{ test: { kind: 'versus', frame }, tokens, about: span.filter((one) => !tokens.includes(one)) }];
  }
  return [];
}

/** "above", "if exceeded": over the limit that was spoken of. */
function overIn(text: Text, span: Span): Said[] {
  const index = span.find((at) => meantBy(text, span, at, 'compare')) ?? -1;
  const compare = meantBy(text, span, index, 'compare');
  const rest = span.filter((other) => other >= (compare?.end ?? 0));
  if (compare === null || (!isEmpty(text, rest) && !isAll(text, rest, 'pronoun'))) return [];
  const { op, tokens } = comparing(text, compare.of, index, compare.end);
  return [{ test: { kind: 'over', op }, tokens }];
}

/** All that a span may ask of a value: its numbers and durations first, then each other way to read it. */
export function testsIn(text: Text, span: Span, asked: boolean): Said[][] {
  const quantities = quantitiesIn(text, span);
  const numbers = quantities.filter(({ test }) => test.kind === 'number');
  return [
    quantities,
    numbers.length < quantities.length ? numbers : [],
    ...[thanIn(text, span), versusIn(text, span), quantities.length === 0 ? overIn(text, span) : []],
    ...[statesIn(text, span, asked), existsIn(text, span)],
  ];
}
