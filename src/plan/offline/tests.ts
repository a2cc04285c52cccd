import { type Operator, opposite } from './draft.ts';
import { minutesOf } from './durations.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { isA, isAll, isEmpty, isOneOf, lowAt, phraseIn, plays, range } from './heard.ts';
import { readsOf } from './reads.ts';
import type { Sense } from './sense.ts';

/** What a condition asks of a value. Which field of which read it means is decided when the read is known. */
export type Test =
  | { readonly kind: 'number'; readonly op: Operator; readonly value: number }
  | { readonly kind: 'minutes'; readonly op: Operator; readonly value: number }
  | { readonly kind: 'than'; readonly op: Operator; readonly frame: Frame }
  | { readonly kind: 'state'; readonly is: boolean; readonly value: string }
  | { readonly kind: 'exists'; readonly some: boolean }
  /** A limit that something is held against; whether it is over is asked later. */
  | { readonly kind: 'versus'; readonly frame: Frame }
  /** "over", "above": over the limit that was spoken of. */
  | { readonly kind: 'over'; readonly op: Operator };

/** A test with the tokens that say it. */
export interface Said {
  readonly test: Test;
  readonly tokens: readonly number[];
}

/** A span of a request, looked through for comparisons. */
export interface Scan {
  readonly text: Text;
  readonly span: readonly number[];
}

export function senseOf(
  { text, span }: Scan,
  index: number,
  role: Sense['role'],
): { of: string; length: number } | null {
  const phrase = phraseIn(text, span, span.indexOf(index), (sense) => sense.role === role);
  const sense = phrase?.senses.find((one) => one.role === role);
  return phrase && sense ? { of: sense.of, length: phrase.length } : null;
}

/** The next token that is no article, and no word that carries nothing. */
function skip({ text, span }: Scan, index: number): number {
  const empty = (at: number): boolean =>
    isOneOf(text, at, 'before number') && !isA(text, at, 'duration', 'number');
  return span.find((at) => at >= index && !empty(at)) ?? -1;
}

const isDenied = ({ text, span }: Scan, index: number): boolean =>
  span.includes(index - 1) && plays(text, index - 1, 'negation');

/** A comparison from one token to another; "not" before it turns it round. */
function spoken(
  scan: Scan,
  op: Operator,
  from: number,
  to: number,
): { readonly op: Operator; readonly tokens: number[] } {
  return isDenied(scan, from)
    ? { op: opposite[op], tokens: range(from - 1, to) }
    : { op, tokens: range(from, to) };
}

interface Quantity {
  readonly kind: 'number' | 'minutes';
  readonly value: number;
  readonly length: number;
}

function quantityAt({ text, span }: Scan, index: number): Quantity | null {
  const here = (text.entities[index] ?? []).filter(
    ({ length }) => span.includes(index) && span.includes(index + length - 1),
  );
  const duration = here.find(({ kind }) => kind === 'duration');
  if (duration) return { kind: 'minutes', value: minutesOf(duration.value), length: duration.length };
  const number = here.find(({ kind }) => kind === 'number');
  return number ? { kind: 'number', value: Number(number.value), length: number.length } : null;
}

function compared(scan: Scan, said: Operator, from: number, at: number, after: number): Said | null {
  const quantity = quantityAt(scan, at);
  if (!quantity) return null;
  const end = at + quantity.length + after;
  const { op, tokens } = spoken(scan, said, from, end + (lowAt(scan.text, end) === 'old' ? 1 : 0));
  return { test: { kind: quantity.kind, op, value: quantity.value }, tokens };
}

/** "more than 5", "older than 2 days": a comparison before its number. */
function before(scan: Scan, index: number): Said | null {
  const compare = senseOf(scan, index, 'compare');
  const found = [senseOf(scan, index, 'older'), compare]
    .filter((one) => one !== null)
    .sort((a, b) => b.length - a.length);
  for (const { of, length } of found) {
    const said = compared(scan, of as Operator, index, skip(scan, index + length), 0);
    if (said && (said.test.kind === 'minutes' || of === compare?.of)) return said;
  }
  return null;
}

/** "25 or more", "10 open tickets or more": a comparison behind its number. */
function behind(scan: Scan, index: number): Said | null {
  const quantity = quantityAt(scan, index);
  if (!quantity) return null;
  const after = index + quantity.length;
  const found = senseOf(scan, after, 'compareAfter');
  if (found) return compared(scan, found.of as Operator, index, index, found.length);
  const later = scan.span.find((at) => at > after && isOneOf(scan.text, at, 'or more'));
  const far = later === undefined ? null : senseOf(scan, later, 'compareAfter');
  if (quantity.kind !== 'number' || far === null || later === undefined) return null;
  const test = { kind: 'number', op: far.of as Operator, value: quantity.value } as const;
  return { test, tokens: [...range(index, after), ...range(later, later + far.length)] };
}

/** "3 to 6", "from 3 to 6", "between 3 and 6". */
function between(scan: Scan, index: number): Said[] | null {
  const word = isOneOf(scan.text, index, 'ranging') ? 1 : 0;
  const from = quantityAt(scan, index + word);
  const middle = index + word + (from?.length ?? 0);
  const isJoined = isOneOf(scan.text, middle, 'up to') || (word > 0 && lowAt(scan.text, middle) === 'and');
  const to = isJoined ? quantityAt(scan, middle + 1) : null;
  if (from?.kind !== 'number' || to?.kind !== 'number') return null;
  const tokens = range(index, middle + 1 + to.length);
  return [
    { test: { kind: 'number', op: '>=', value: from.value }, tokens },
    { test: { kind: 'number', op: '<=', value: to.value }, tokens },
  ];
}

/** All comparisons with a number or a duration, in order, without overlaps. */
export function quantitiesIn(text: Text, span: readonly number[]): Said[] {
  const scan = { text, span };
  const found: Said[] = [];
  for (const index of span) {
    if (found.some(({ tokens }) => index <= (tokens.at(-1) ?? -1))) continue;
    const said = between(scan, index) ?? before(scan, index) ?? behind(scan, index) ?? [];
    found.push(...[said].flat());
  }
  return found;
}

/** A comparison with what another look-up gives, and the tokens of what is compared. */
interface Than {
  readonly said: Said;
  readonly before: number[];
}

/** "more than the SLA allows", "outnumber those in ORD": a comparison with what another look-up gives. */
export function thanIn(text: Text, span: readonly number[]): Than | null {
  const scan = { text, span };
  for (const index of span) {
    const compare = senseOf(scan, index, 'compare');
    const frame =
      compare &&
      limitIn(
        text,
        span.filter((other) => other >= index + compare.length),
      );
    if (!frame) continue;
    const { op, tokens } = spoken(scan, compare.of as Operator, index, index + compare.length);
    const [start = index] = tokens;
    return {
      said: { test: { kind: 'than', op, frame }, tokens },
      before: span.filter((other) => other < start),
    };
  }
  return null;
}

/** "more open bugs in QRY than in WH": a comparison with what is compared in its middle. */
export function moreThanIn(text: Text, span: readonly number[]): Than | null {
  const first = span.find((index) => isOneOf(text, index, 'more', 'fewer')) ?? -1;
  const than = span.find((index) => index > first + 1 && lowAt(text, index) === 'than') ?? -1;
  if (first < 0 || than < 0) return null;
  const rest = span.filter((index) => index > than);
  const frame = limitIn(text, rest) ?? bareIn(text, rest);
  if (!frame) return null;
  const op: Operator = isOneOf(text, first, 'more') ? '>' : '<';
  return {
    said: { test: { kind: 'than', op, frame }, tokens: [first, than, ...rest] },
    before: span.filter((index) => index < than && index !== first),
  };
}

/** "… than in WH": only what differs is said of the other side. */
function bareIn(text: Text, span: readonly number[]): Frame | null {
  const tool = text.lexicon.byRole.get('count');
  const frame = tool && fillFrame(text, tool, span);
  return frame && frame.left.length === 0 && frame.slots.size > 0 ? frame : null;
}

/** "compare the open P1 count with the SLA": a limit that a number is held against. */
export function versusIn(text: Text, span: readonly number[]): Than | null {
  const scan = { text, span };
  const comparing = span.filter((index) => senseOf(scan, index, 'comparing'));
  const index = span.find(
    (at) => senseOf(scan, at, 'versus') && (comparing.length > 0 || isOneOf(text, at, 'against')),
  );
  const rest = span.filter((other) => index !== undefined && other > index);
  const frame = limitIn(text, rest);
  if (index === undefined || !frame) return null;
  return {
    said: { test: { kind: 'versus', frame }, tokens: [...comparing, index, ...rest] },
    before: span.filter((other) => other < index && !comparing.includes(other)),
  };
}

/** The limit that a span asks for, and nothing else. */
function limitIn(text: Text, span: readonly number[]): Frame | undefined {
  return readsOf(text, span, 'number').find(
    ({ left, tool }) => left.length === 0 && tool.asked?.role === 'limit',
  );
}

/** "above", "if exceeded": over the limit that was spoken of. */
export function overIn(text: Text, span: readonly number[]): Said | null {
  const scan = { text, span };
  const index = span.find((at) => senseOf(scan, at, 'compare'));
  const compare = index === undefined ? null : senseOf(scan, index, 'compare');
  if (index === undefined || compare === null) return null;
  const rest = span.filter((other) => other >= index + compare.length);
  if (!isEmpty(text, rest) && !isAll(text, rest, 'pronoun')) return null;
  const { op, tokens } = spoken(scan, compare.of as Operator, index, index + compare.length);
  return { test: { kind: 'over', op }, tokens };
}
