import { minutesOf } from './durations.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import type { Phrase, Sense } from './lexicon.ts';
import { readsOf } from './reads.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

/** What a condition asks of a value. Which field of which read it means is decided when the read is known. */
export type Test =
  | { readonly kind: 'number'; readonly op: Operator; readonly value: number }
  | { readonly kind: 'minutes'; readonly op: Operator; readonly value: number; readonly idle: boolean }
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

const opposite: Record<Operator, Operator> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '==',
};

export function opposed(test: Test): Test {
  switch (test.kind) {
    case 'number':
    case 'minutes':
    case 'than':
    case 'over':
      return { ...test, op: opposite[test.op] };
    case 'state':
      return { ...test, is: !test.is };
    case 'exists':
      return { ...test, some: !test.some };
    default:
      return test;
  }
}

interface Scan {
  readonly text: Text;
  readonly span: readonly number[];
}

const rolesAt = ({ text }: Scan, index: number): readonly Phrase[] => text.phrases[index] ?? [];

function senseOf(scan: Scan, index: number, role: Sense['role']): { of: string; length: number } | null {
  for (const { length, senses } of rolesAt(scan, index)) {
    const sense = senses.find((one) => one.role === role);
    if (sense && inSpan(scan, index, length)) return { of: sense.of, length };
  }
  return null;
}

function inSpan({ span }: Scan, index: number, length: number): boolean {
  return span.includes(index) && span.includes(index + length - 1);
}

/** The next token that is no article, and no word that carries nothing. */
function skip(scan: Scan, index: number): number {
  let at = index;
  while (
    scan.span.includes(at) &&
    /^(?:a|an|the|of|than|to|about|for|now|already)$/u.test(scan.text.tokens[at]?.low ?? '')
  ) {
    if (scan.text.entities[at]?.some(({ kind }) => kind === 'duration' || kind === 'number')) break;
    at += 1;
  }
  return at;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_one, at) => from + at);

function negatedBefore(scan: Scan, index: number): boolean {
  return (
    scan.span.includes(index - 1) &&
    rolesAt(scan, index - 1).some(
      ({ length, senses }) => length === 1 && senses.some(({ role }) => role === 'negation'),
    )
  );
}

function quantityAt(
  scan: Scan,
  index: number,
): { kind: 'number' | 'minutes'; value: number; length: number } | null {
  const entities = scan.text.entities[index] ?? [];
  const duration = entities.find(({ kind, length }) => kind === 'duration' && inSpan(scan, index, length));
  if (duration) return { kind: 'minutes', value: minutesOf(duration.value), length: duration.length };
  const number = entities.find(({ kind, length }) => kind === 'number' && inSpan(scan, index, length));
  return number ? { kind: 'number', value: Number(number.value), length: number.length } : null;
}

function compared(scan: Scan, op: Operator, from: number, at: number, after: number): Said | null {
  const quantity = quantityAt(scan, at);
  if (!quantity) return null;
  const negated = negatedBefore(scan, from);
  const end = at + quantity.length + after;
  const old = scan.text.tokens[end]?.low === 'old' && scan.span.includes(end) ? 1 : 0;
  const tokens = range(negated ? from - 1 : from, end + old);
  const used = negated ? opposite[op] : op;
  if (quantity.kind === 'number')
    return { test: { kind: 'number', op: used, value: quantity.value }, tokens };
  return { test: { kind: 'minutes', op: used, value: quantity.value, idle: false }, tokens };
}

/** "more than 5", "older than 2 days": a comparison before its number. */
function before(scan: Scan, index: number): Said | null {
  const older = senseOf(scan, index, 'older');
  const compare = senseOf(scan, index, 'compare');
  const found = [older, compare].filter((one) => one !== null).sort((a, b) => b.length - a.length);
  for (const { of, length } of found) {
    const said = compared(scan, of as Operator, index, skip(scan, index + length), 0);
    if (said && (said.test.kind === 'minutes' || of === compare?.of)) return said;
  }
  return null;
}

/** "25 or more", "10+": a comparison behind its number, or a bare number in front of what is counted. */
function behind(scan: Scan, index: number): Said | null {
  const quantity = quantityAt(scan, index);
  if (!quantity) return null;
  const after = index + quantity.length;
  const found = scan.span.includes(after) ? senseOf(scan, after, 'compareAfter') : null;
  if (found) return compared(scan, found.of as Operator, index, index, found.length);
  const later = scan.span.find(
    (at) =>
      at > after &&
      senseOf(scan, at, 'compareAfter') !== null &&
      /^(?:or|and)$/u.test(scan.text.tokens[at]?.low ?? ''),
  );
  const far = later === undefined ? null : senseOf(scan, later, 'compareAfter');
  if (far && later !== undefined && quantity.kind === 'number')
    return {
      test: { kind: 'number', op: far.of as Operator, value: quantity.value },
      tokens: [...range(index, after), ...range(later, later + far.length)],
    };
  if (
    quantity.kind === 'number' &&
    !scan.text.entities[index]?.some(({ kind }) => kind === 'issue' || kind === 'incident')
  )
    return compared(scan, '==', index, index, 0);
  return null;
}

/** "3-5": a range of numbers. */
function between(scan: Scan, index: number): Said[] | null {
  const match = /^(\d+)[-–](\d+)$/u.exec(scan.text.tokens[index]?.raw ?? '');
  const low = scan.text.tokens[index]?.low;
  if (match) {
    const tokens = [index];
    return [
      { test: { kind: 'number', op: '>=', value: Number(match[1]) }, tokens },
      { test: { kind: 'number', op: '<=', value: Number(match[2]) }, tokens },
    ];
  }
  if (low !== 'between') return rangeOf(scan, index);
  const from = quantityAt(scan, index + 1);
  const to = from && quantityAt(scan, index + 2 + from.length);
  if (!from || !to) return null;
  const tokens = range(index, index + 2 + from.length + to.length);
  return [
    { test: { kind: 'number', op: '>=', value: from.value }, tokens },
    { test: { kind: 'number', op: '<=', value: to.value }, tokens },
  ];
}

/** "3 to 6". */
function rangeOf(scan: Scan, index: number): Said[] | null {
  const from = quantityAt(scan, index);
  const middle = index + (from?.length ?? 0);
  if (!from || from.kind !== 'number' || !/^(?:to|-|–)$/u.test(scan.text.tokens[middle]?.low ?? ''))
    return null;
  const to = quantityAt(scan, middle + 1);
  if (!to || to.kind !== 'number' || !scan.span.includes(middle)) return null;
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
  let next = -1;
  for (const index of span) {
    if (index < next) continue;
    const both = between(scan, index);
    const said = both ?? [before(scan, index) ?? behind(scan, index)].filter((one) => one !== null);
    found.push(...said);
    const last = said.at(-1)?.tokens.at(-1);
    if (last !== undefined) next = last + 1;
  }
  const stated = found.filter(({ test }) => test.kind !== 'number' || test.op !== '==');
  return stated.length > 0 ? stated : found.filter(({ test }) => test.kind === 'number').slice(0, 1);
}

/** "more than the SLA allows", "outnumber those in ORD": a comparison with what another look-up gives. */
export function thanIn(text: Text, span: readonly number[]): { said: Said; before: number[] } | null {
  const scan = { text, span };
  for (const index of span) {
    const compare = senseOf(scan, index, 'compare');
    if (!compare) continue;
    const rest = span.filter((other) => other >= index + compare.length);
    const negated = negatedBefore(scan, index);
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
  const tool = text.lexicon.tools.get('jira.count');
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
    if (frame?.tool.name !== 'sla.threshold') continue;
    const before = span.filter((other) => other < index && !comparing.includes(other));
    return { said: { test: { kind: 'versus', frame }, tokens: [...comparing, index, ...rest] }, before };
  }
  return null;
}

function limitIn(text: Text, span: readonly number[]): Frame | undefined {
  const frames = readsOf(text, span, 'number').filter(
    ({ left, tool }) => left.length === 0 && tool.asked?.compares?.number !== undefined,
  );
  return frames.find(({ tool }) => tool.name === 'sla.threshold') ?? frames[0];
}

/** "above", "if exceeded": over the limit that was spoken of. */
export function overIn(text: Text, span: readonly number[]): Said | null {
  const scan = { text, span };
  for (const index of span) {
    const compare = senseOf(scan, index, 'compare');
    if (!compare) continue;
    const negated = negatedBefore(scan, index);
    const op = compare.of as Operator;
    return {
      test: { kind: 'over', op: negated ? opposite[op] : op },
      tokens: range(negated ? index - 1 : index, index + compare.length),
    };
  }
  return null;
}

/** "any", "none", "there is no". */
export function existsIn(text: Text, span: readonly number[]): Said | null {
  const scan = { text, span };
  const found = span.flatMap((index) => {
    const sense = senseOf(scan, index, 'exists');
    return sense ? [{ index, ...sense }] : [];
  });
  const none = found.find(({ of }) => of === 'none');
  const chosen = none ?? found[0];
  if (!chosen) return null;
  const tokens = found
    .filter(({ of }) => of === 'any' || none)
    .flatMap(({ index, length }) => range(index, index + length));
  return { test: { kind: 'exists', some: none === undefined }, tokens: [...new Set(tokens)] };
}

const is =
  /^(?:is|are|be|in|has|have|been|was|its|status|state|becomes|became|turns|turned|shows|reads|says|at|stays|remains|as|to|moves|gone|went|goes|sits|stands|moved)$/u;
const still =
  /^(?:still|already|now|not|yet|currently|actually|no|longer|the|been|in|to|status|state|as|at|a)$/u;

function isNegated(text: Text, span: readonly number[]): number[] {
  return span.filter((index) =>
    rolesAt({ text, span }, index).some(
      ({ length, senses }) => length === 1 && senses.some(({ role }) => role === 'negation'),
    ),
  );
}

/** "is Blocked", "isn't done yet", "has breached its SLA". */
export function statesIn(text: Text, span: readonly number[]): Said[] {
  const scan = { text, span };
  const negations = isNegated(text, span);
  const found: Said[] = [];
  for (const index of span) {
    for (const { length, senses } of rolesAt(scan, index)) {
      const sense = senses.find(
        ({ role, of, arg }) =>
          role === 'value' &&
          ((of === 'jira.count' && (arg === 'status' || arg === 'assignee')) ||
            (of === 'jira.sla' && arg === 'state')),
      );
      if (!sense?.value || !inSpan(scan, index, length)) continue;
      const raw = range(index, index + length)
        .map((at) => text.tokens[at]?.raw ?? '')
        .join(' ');
      const value =
        sense.of === 'jira.sla'
          ? sense.value
          : sense.arg === 'assignee'
            ? 'unassigned'
            : /\p{Lu}/u.test(raw)
              ? raw
              : sense.value;
      found.push({
        test: { kind: 'state', is: negations.length % 2 === 0, value },
        tokens: [...range(index, index + length), ...negations],
      });
      break;
    }
  }
  return found.length > 0 ? found : namedState(scan, negations);
}

/** A status that the words do not know: what stands behind "is" at the end, with a capital letter or in quotes. */
function namedState({ text, span }: Scan, negations: readonly number[]): Said[] {
  for (const [at, index] of span.entries()) {
    if (!is.test(text.tokens[index]?.low ?? '')) continue;
    let from = at + 1;
    while (
      from < span.length &&
      (still.test(text.tokens[span[from] as number]?.low ?? '') || negations.includes(span[from] as number))
    )
      from += 1;
    const rest = span.slice(from);
    const end = rest.findIndex((one) => text.tokens[one]?.kind === 'mark');
    const words = end < 0 ? rest : rest.slice(0, end);
    const first = text.tokens[words[0] ?? -1];
    if (!first || words.length > 4 || (first.kind !== 'quote' && !/^\p{Lu}\p{Ll}/u.test(first.raw))) continue;
    const value =
      first.kind === 'quote'
        ? first.raw
        : text.goal.slice(first.start, text.tokens[words.at(-1) as number]?.end);
    return [
      { test: { kind: 'state', is: negations.length % 2 === 0, value }, tokens: [...words, ...negations] },
    ];
  }
  return [];
}
