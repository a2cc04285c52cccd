import type { Manifest } from '../../../core/manifest.ts';
import { is, lowAt, type Text } from '../words/text.ts';
import { argsThatTake, slotsOf, type Takes } from './takes.ts';

/** A name that stands where a target belongs and that nothing here has. */
export interface Strange {
  readonly arg: string;
  readonly said: string;
}

/** One tool with the slots that words of the request fill, in whatever order they stand. */
export interface Frame {
  readonly tool: Manifest;
  readonly slots: ReadonlyMap<string, readonly string[]>;
  readonly verb: boolean;
  readonly noun: boolean;
  /** Tokens that a slot, a verb or a noun explains. */
  readonly used: ReadonlySet<number>;
  /** Tokens that fill slots, of those. */
  readonly filling: ReadonlySet<number>;
  /** Tokens of the text that was taken as a message: they weigh less than words that were understood. */
  readonly spoken: ReadonlySet<number>;
  /** Tokens that mean something and that nothing explains. */
  readonly left: readonly number[];
  readonly strange: readonly Strange[];
  /** Two or more targets were named with "or". */
  readonly either: string | null;
  readonly carries: Carries;
  /** The look-up that finds its target, beside what is sent: "send the list to the on-call of search", "close the oldest P3 in WEB". */
  readonly target: Frame | null;
}

/** What an order sends: words, which may only look like its text, the result, or what another frame gives. Null: what its slots say, or nothing yet. */
export type Carries =
  | { readonly text: string; readonly words: number; readonly isGuess?: boolean }
  | 'result'
  | Frame
  | null;

export const isFrame = (carries: Carries): carries is Frame =>
  carries !== null && typeof carries === 'object' && 'tool' in carries;

/** A word that asks for the value behind it. */
interface Cue {
  readonly args: readonly string[];
  readonly at: readonly number[];
  /** A verb: whatever stands right behind it may be its target. */
  readonly weak: boolean;
}

/** How a token is explained: by a verb, noun or cue, as the value of a slot, or as words that are only passed on. */
type How = 'word' | 'slot' | 'text';

/** One tool's slots while the words of a span are read from left to right. */
export interface Filling {
  readonly text: Text;
  readonly tool: Manifest;
  readonly span: readonly number[];
  readonly takes: ReadonlyMap<string, Takes>;
  readonly slots: Map<string, readonly string[]>;
  readonly used: Set<number>;
  readonly filling: Set<number>;
  readonly spoken: Set<number>;
  readonly left: number[];
  readonly strange: Strange[];
  verb: boolean;
  noun: boolean;
  cue: Cue | null;
  /** Token of a negation that no value has taken yet. */
  negation: number | null;
  /** The value that was filled last is left out. */
  denies: boolean;
  /** The slot that was filled last, and what joins another value to it. */
  last: string | null;
  joined: { readonly at: number; readonly or: boolean } | null;
  either: string | null;
}

export function startFilling(text: Text, tool: Manifest, span: readonly number[]): Filling {
  return {
    ...{ text, tool, span, takes: slotsOf(tool), verb: false, noun: false },
    ...{ cue: null, negation: null, denies: false, last: null, joined: null, either: null },
    ...{ slots: new Map(), used: new Set(), filling: new Set(), spoken: new Set(), left: [], strange: [] },
  };
}

export function frameOf(so: Filling): Frame {
  const { tool, slots, verb, noun, used, filling, spoken, strange, either } = so;
  return {
    ...{ tool, slots, verb, noun, used, filling, spoken, strange, either },
    ...{ left: so.left.filter((index) => !used.has(index)), carries: null, target: null },
  };
}

export const indexAt = ({ span }: Filling, at: number): number => span[at] ?? -1;

export const wordAt = (so: Filling, at: number): string => lowAt(so.text, indexAt(so, at));

/** Whether the tokens from here on stand next to each other, so that a phrase of that length fits. */
export const fits = (so: Filling, at: number, length: number): boolean =>
  indexAt(so, at + length - 1) === indexAt(so, at) + length - 1;

/** Whether what the tool is asked with ends here, or goes on with another of its cues. */
export function endsAt(so: Filling, at: number): boolean {
  let next = at;
  while (is(so.text, indexAt(so, next), 'time present')) next += 1;
  return indexAt(so, next) < 0 || is(so.text, indexAt(so, next), 'mark', `cue ${so.tool.name}`);
}

/** The last explanation of a token is the one that counts. */
export function explain({ used, filling, spoken }: Filling, indexes: Iterable<number>, how: How): void {
  for (const index of indexes) {
    used.add(index);
    if (how === 'word') filling.delete(index);
    else filling.add(index);
    if (how === 'text') spoken.add(index);
    else spoken.delete(index);
  }
}

/** Arguments that look like any of these and have no value yet. */
export const free = ({ tool, slots }: Filling, ...looks: readonly Takes[]): string[] =>
  argsThatTake(tool, ...looks).filter((arg) => !slots.has(arg));

/** The argument that a value goes to: with "not" before it, or before the list that it goes on, the one that leaves it out. */
export function targetOf(so: Filling, arg: string): string {
  const { text, negation, takes, joined, last, denies } = so;
  // "no open bugs", "if no P1 is open" ask whether there are any.
  const at = negation ?? -1;
  const isNone =
    is(text, at, 'nobody') &&
    (takes.get(arg) === 'enum' || (takes.get(arg) === 'severity' && is(text, at - 1, 'if', 'unless')));
  const goesOn = denies && joined !== null && last === arg;
  return ((negation !== null && !isNone) || goesOn) && takes.has(`${arg}_not`) ? `${arg}_not` : arg;
}

/** What a value that says more stands in for: "all", or the "next" shift. */
export const isAllOf = ({ slots }: Filling, arg: string): boolean =>
  ['all', 'next'].includes(slots.get(arg)?.[0] ?? '');
export const continues = ({ joined, last }: Filling, arg: string): boolean => joined !== null && last === arg;

/** Fills a slot from some tokens; the cue and the negation before it have done their work. */
export function fill(so: Filling, arg: string, values: readonly string[], at: number, length: number): void {
  const to = targetOf(so, arg);
  if (to !== arg && so.negation !== null) {
    explain(so, [so.negation], 'word');
    so.negation = null;
  }
  if (so.joined && so.slots.has(to)) explain(so, [so.joined.at], 'word');
  const before = isAllOf(so, to) ? [] : (so.slots.get(to) ?? []);
  so.slots.set(to, [...new Set([...before, ...values])]);
  // "more than P1 tickets", "I changed my mind": a cue is said for its own argument only.
  if (!so.cue?.args.includes(arg)) dropCue(so);
  explain(so, so.cue?.at ?? [], 'word');
  explain(so, so.span.slice(at, at + length), 'slot');
  so.last = arg;
  so.denies = to !== arg;
  so.cue = null;
  so.joined = null;
}

/** What waits for a value gets none. A preposition that led nowhere carries nothing; a word such as "labelled" does. */
export function dropCue(so: Filling): void {
  so.left.push(...(so.cue?.at ?? []).filter((index) => !is(so.text, index, 'empty', 'and')));
  so.cue = null;
}

export function dropNegation(so: Filling): void {
  if (so.negation !== null) so.left.push(so.negation);
  so.negation = null;
}
