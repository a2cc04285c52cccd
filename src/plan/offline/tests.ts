import { type Operator, opposite } from './draft.ts';
import { minutesOf } from './durations.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import { isA, isEmpty, lowAt, means, phraseIn, plays, range } from './heard.ts';
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
    /^(?:a|an|the|of|than|to|about|for|now|already)$/u.test(lowAt(text, at)) &&
    !isA(text, at, 'duration', 'number');
  return span.find((at) => at >= index && !empty(at)) ?? -1;
}

const isDenied = ({ text, span }: Scan, index: number): boolean =>
  span.includes(index - 1) && plays(text, index - 1, 'negation');

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

function compared(scan: Scan, op: Operator, from: number, at: number, after: number): Said | null {
  const quantity = quantityAt(scan, at);
  if (!quantity) return null;
  const denied = isDenied(scan, from);
  const end = at + quantity.length + after;
  const old = lowAt(scan.text, end) === 'old' && scan.span.includes(end) ? 1 : 0;
  return {
    test: { kind: quantity.kind, op: denied ? opposite[op] : op, value: quantity.value },
    tokens: range(denied ? from - 1 : from, end + old),
  };
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

/** "incident 123": a number right behind the singular noun of what is listed is its name. */
const isNumbered = ({ text }: Scan, index: number): boolean =>
  !/s$/u.test(lowAt(text, index - 1)) &&
  means(
    text,
    index - 1,
    ({ role, of }) => role === 'noun' && 'status' in (text.lexicon.tools.get(of)?.args.shape ?? {}),
  );

/** "25 or more", "10 open tickets or more": a comparison behind its number; or a bare number of what is counted. */
function behind(scan: Scan, index: number): Said | null {
  const quantity = quantityAt(scan, index);
  if (!quantity) return null;
  const after = index + quantity.length;
  const found = senseOf(scan, after, 'compareAfter');
  if (found) return compared(scan, found.of as Operator, index, index, found.length);
  if (quantity.kind !== 'number') return null;
  const later = scan.span.find(
    (at) => at > after && /^(?:or|and)$/u.test(lowAt(scan.text, at)) && senseOf(scan, at, 'compareAfter'),
  );
  const far = later === undefined ? null : senseOf(scan, later, 'compareAfter');
  if (far && later !== undefined)
    return {
      test: { kind: 'number', op: far.of as Operator, value: quantity.value },
      tokens: [...range(index, after), ...range(later, later + far.length)],
    };
  return isA(scan.text, index, 'issue', 'incident') || isNumbered(scan, index)
    ? null
    : compared(scan, '==', index, index, 0);
}

/** "3-5", "3 to 6", "between 3 and 6". */
function between(scan: Scan, index: number): Said[] | null {
  const match = /^(\d+)[-–](\d+)$/u.exec(scan.text.tokens[index]?.raw ?? '');
  const word = lowAt(scan.text, index) === 'between' ? 1 : 0;
  const from = quantityAt(scan, index + word);
  const middle = index + word + (from?.length ?? 0);
  const to = (word ? /^and$/u : /^(?:to|-|–)$/u).test(lowAt(scan.text, middle))
    ? quantityAt(scan, middle + 1)
    : null;
  if (!match && (from?.kind !== 'number' || to?.kind !== 'number')) return null;
  const tokens = match ? [index] : range(index, middle + 1 + (to?.length ?? 0));
  return [
    { test: { kind: 'number', op: '>=', value: match ? Number(match[1]) : (from?.value ?? 0) }, tokens },
    { test: { kind: 'number', op: '<=', value: match ? Number(match[2]) : (to?.value ?? 0) }, tokens },
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
  const stated = found.filter(({ test }) => test.kind !== 'number' || test.op !== '==');
  return stated.length > 0 ? stated : found.slice(0, 1);
}

/** "more than the SLA allows", "outnumber those in ORD": a comparison with what another look-up gives. */
export function thanIn(text: Text, span: readonly number[]): { said: Said; before: number[] } | null {
  const scan = { text, span };
  for (const index of span) {
    const compare = senseOf(scan, index, 'compare');
    if (!compare) continue;
    const rest = span.filter((other) => other >= index + compare.length);
    const negated = isDenied(scan, index);
    const frame = limitIn(text, rest);
    if (!frame) continue;
    const op = negated ? opposite[compare.of as Operator] : (compare.of as Operator);
    const start = negated ? index - 1 : index;
    return {
      said: { test: { kind: 'than', op, frame }, tokens: [...range(start, index + compare.length), ...rest] },
      before: span.filter((other) => other < start),
    };
  }
  return null;
}

/** "more open bugs in QRY than in WH": a comparison with what is compared in its middle. */
export function moreThanIn(text: Text, span: readonly number[]): { said: Said; before: number[] } | null {
  const first = span.find((index) =>
    /^(?:more|fewer|less|higher|lower)$/u.test(text.tokens[index]?.low ?? ''),
  );
  const than = span.find(
    (index) => first !== undefined && index > first + 1 && text.tokens[index]?.low === 'than',
  );
  if (first === undefined || than === undefined) return null;
  const rest = span.filter((index) => index > than);
  const before = span.filter((index) => index < than && index !== first);
  const frame = limitIn(text, rest) ?? bareIn(text, rest);
  if (!frame) return null;
  const op: Operator = /^(?:more|higher)$/u.test(text.tokens[first]?.low ?? '') ? '>' : '<';
  return { said: { test: { kind: 'than', op, frame }, tokens: [first, than, ...rest] }, before };
}

/** "… than in WH": only what differs is said of the other side. */
function bareIn(text: Text, span: readonly number[]): Frame | null {
  const tool = text.lexicon.byRole.get('count');
  const frame = tool && fillFrame(text, tool, span);
  return frame && frame.left.length === 0 && frame.slots.size > 0 ? frame : null;
}

/** "compare the open P1 count with the SLA": a limit that a number is held against. */
export function versusIn(text: Text, span: readonly number[]): { said: Said; before: number[] } | null {
  const scan = { text, span };
  const comparing = span.filter((index) => senseOf(scan, index, 'comparing'));
  for (const index of span) {
    if (
      !senseOf(scan, index, 'versus') ||
      (comparing.length === 0 && !/^(?:against|versus|vs)$/u.test(text.tokens[index]?.low ?? ''))
    )
      continue;
    const rest = span.filter((other) => other > index);
    const frame = limitIn(text, rest);
    if (frame?.tool.asked?.role !== 'limit') continue;
    const before = span.filter((other) => other < index && !comparing.includes(other));
    return { said: { test: { kind: 'versus', frame }, tokens: [...comparing, index, ...rest] }, before };
  }
  return null;
}

function limitIn(text: Text, span: readonly number[]): Frame | undefined {
  const frames = readsOf(text, span, 'number').filter(
    ({ left, tool }) => left.length === 0 && tool.asked?.compares?.number !== undefined,
  );
  return frames.find(({ tool }) => tool.asked?.role === 'limit') ?? frames[0];
}

/** "above", "if exceeded": over the limit that was spoken of. */
export function overIn(text: Text, span: readonly number[]): Said | null {
  const scan = { text, span };
  for (const index of span) {
    const compare = senseOf(scan, index, 'compare');
    if (!compare) continue;
    const rest = span.filter((other) => other >= index + compare.length);
    if (!isEmpty(text, rest)) continue;
    const negated = isDenied(scan, index);
    const op = compare.of as Operator;
    return {
      test: { kind: 'over', op: negated ? opposite[op] : op },
      tokens: range(negated ? index - 1 : index, index + compare.length),
    };
  }
  return null;
}
