import { type Lasting, type Operator, opposite } from '../steps/draft.ts';
import {
  is,
  isAll,
  isAlone,
  isAny,
  isEmpty,
  isWithin,
  lowAt,
  phraseIn,
  range,
  saysIn,
  type Text,
  wordsOf,
} from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { minutesOf } from '../words/times.ts';
import { deniedBehind } from './edges.ts';
import type { Frame } from './frame.ts';
import { fillFrame } from './frames.ts';
import { readsOf } from './reads.ts';

/** What a condition asks of a value. Which field of which read it means is decided when the read is known. */
export type Test =
  | { readonly kind: 'number'; readonly op: Operator; readonly value: number }
  | { readonly kind: 'minutes'; readonly by: Lasting; readonly op: Operator; readonly value: number }
  | { readonly kind: 'than'; readonly op: Operator; readonly frame: Frame }
  /** `alarm` is what the word means where it is said of an incident, null where it is no state of one. */
  | { readonly kind: 'state'; readonly is: boolean; readonly value: string; readonly alarm: string | null }
  | { readonly kind: 'exists'; readonly some: boolean }
  /** A limit that something is held against; whether it is over is asked later. */
  | { readonly kind: 'versus'; readonly frame: Frame }
  /** "over", "above": over the limit that was spoken of. */
  | { readonly kind: 'over'; readonly op: Operator };

/** A test with the tokens that say it, and those of what is compared where they are not all the others. */
export interface Said {
  readonly test: Test;
  readonly tokens: readonly number[];
  readonly about?: readonly number[];
}

type Span = readonly number[];

/** What a phrase of a role that begins here stands for, with the token behind it. */
function meantBy(text: Text, span: Span, index: number, role: string): { of: string; end: number } | null {
  const phrase = is(text, index, role) ? phraseIn(text, span, span.indexOf(index), role) : undefined;
  const sense = phrase?.senses.find((one) => one.role === role);
  return phrase && sense ? { of: sense.of, end: index + phrase.length } : null;
}

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

const states = ['value count status', 'value count assignee', 'value clock state', 'value alarms status'];

/** "is Blocked", "has breached its SLA": one state, also said again of another thing. Two states are two conditions. */
export function statesIn(text: Text, span: Span, asked: boolean): Said[] {
  const negations = span.filter((index) => isAlone(text, index, 'negation') && !is(text, index, 'or'));
  const stateAt = (tokens: readonly number[], value: string, alarm: string | null = null): Said => {
    const before = negations.filter((one) => one < (tokens[0] ?? 0));
    const test = { kind: 'state', is: before.length % 2 === 0, value, alarm } as const;
    return { test, tokens: [...tokens, ...before] };
  };
  const found: Said[] = [];
  for (const [at, index] of span.entries()) {
    if (!is(text, index, 'severity', ...states)) continue;
    // "not acked" is one state, whatever its last word means alone.
    const last = found.at(-1);
    if (last?.test.kind === 'state' && last.test.alarm !== null && last.tokens.includes(index)) continue;
    const level = text.words[index]?.things.find(
      ({ kind, value }) => kind === 'severity' && /^P\d$/u.test(value),
    )?.value;
    const phrase = phraseIn(text, span, at, ...states);
    const meant = phrase?.senses.filter(({ of, arg }) => states.includes(`value ${roleOf(text, of)} ${arg}`));
    const sense = meant?.find(({ of }) => roleOf(text, of) !== 'alarms') ?? meant?.[0];
    const alarm = meant?.find(({ of }) => roleOf(text, of) === 'alarms')?.value ?? null;
    if (level !== undefined) found.push(stateAt([index], level));
    // "can be resolved" and "goes back to To Do" say nothing of how it stands, "if it moves to Done" does.
    const isReached =
      asked && lowAt(text, index - 1) === 'to' && is(text, index - 2, 'verb move', 'also move');
    // "nothing to do" is no status.
    if (isWithin(text, index, (one) => isAny(one, 'readonly'))) continue;
    const isOpen = is(text, index - 2, 'becoming') || (lowAt(text, index - 1) === 'to' && !isReached);
    if (level !== undefined || isOpen || !phrase || sense?.value === undefined) continue;
    const tokens = range(isReached ? index - 2 : index, index + phrase.length);
    // The name of a status is written as the workspace writes it: "In Review" stays so.
    const name = sense.arg === 'status' ? /\p{Lu}.*$/u.exec(wordsOf(text, tokens))?.[0] : undefined;
    found.push(stateAt(tokens, name ?? sense.value, alarm));
  }
  const [first, ...others] = found;
  const isSame = others.every(({ test }) => JSON.stringify(test) === JSON.stringify(first?.test));
  return first && isSame ? [{ ...first, tokens: found.flatMap(({ tokens }) => tokens) }] : [];
}

const roleOf = ({ lexicon }: Text, tool: string): string | undefined => lexicon.tools.get(tool)?.asked?.role;

/** "tell them nothing" */
const isDenied = (text: Text, index: number): boolean =>
  [index - 1, index - 2].some((at) => is(text, at, 'verb write') && deniedBehind(text, at) === index);

/** "any", "none", "there is no"; "nobody assigned" says which. */
function existsIn(text: Text, span: Span): Said[] {
  const found = span.flatMap((index, at) => {
    const isDenial = is(text, index, 'readonly nothing') || isDenied(text, index);
    const sense = isDenial ? null : meantBy(text, span, index, 'exists');
    return sense && sense.end >= index + (phraseIn(text, span, at, 'value')?.length ?? 0)
      ? [{ of: sense.of, tokens: range(index, sense.end) }]
      : [];
  });
  const some = found.every(({ of }) => of !== 'none');
  const tokens = [...new Set(found.flatMap((one) => one.tokens))];
  return found.length === 0 ? [] : [{ test: { kind: 'exists', some }, tokens }];
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
