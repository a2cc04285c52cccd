import type { Manifest } from '../../core/manifest.ts';
import type { Strange, Text } from './frame.ts';
import { carriesNothing, isMark, joins, lowAt, means } from './heard.ts';
import { slotsOf, type Takes } from './takes.ts';

/** A word that asks for the value behind it. */
export interface Cue {
  readonly args: readonly string[];
  readonly at: readonly number[];
  /** A verb: whatever stands right behind it may be its target. */
  readonly weak: boolean;
}

/** How a token is explained: by a verb, noun or cue, as the value of a slot, or as words that are only passed on. */
export type How = 'word' | 'slot' | 'text';

/** One tool's slots while the words of a span are read from left to right. */
export interface Filling {
  readonly text: Text;
  readonly tool: Manifest;
  readonly span: readonly number[];
  readonly takes: ReadonlyMap<string, Takes>;
  readonly slots: Map<string, readonly string[]>;
  readonly explained: Map<number, How>;
  readonly left: number[];
  readonly strange: Strange[];
  readonly heads: Set<'verb' | 'noun'>;
  cue: Cue | null;
  /** Token of a negation that no value has taken yet. */
  negation: number | null;
  /** The slot that was filled last, and what joins another value to it. */
  last: string | null;
  joined: { readonly at: number; readonly or: boolean } | null;
  either: string | null;
}

/** Takes tokens of the span from a place on: how many, or none where it does not fit. */
export type Matcher = (so: Filling, at: number) => number;

export function startFilling(text: Text, tool: Manifest, span: readonly number[]): Filling {
  const takes = slotsOf(tool);
  const empty = { cue: null, negation: null, last: null, joined: null, either: null };
  return {
    ...{ text, tool, span, takes, ...empty },
    ...{ slots: new Map(), explained: new Map(), left: [], strange: [], heads: new Set() },
  };
}

export const indexAt = ({ span }: Filling, at: number): number => span[at] ?? -1;

export const wordAt = (so: Filling, at: number): string => lowAt(so.text, indexAt(so, at));

/** Whether the tokens from here on stand next to each other, so that a phrase of that length fits. */
export const fits = (so: Filling, at: number, length: number): boolean =>
  indexAt(so, at + length - 1) === indexAt(so, at) + length - 1;

/** Whether what the tool is asked with ends here, or goes on with another of its cues. */
export const endsAt = (so: Filling, at: number): boolean => {
  const index = indexAt(so, at);
  const cue = means(so.text, index, ({ role, of }) => role === 'cue' && of === so.tool.name);
  return index < 0 || isMark(so.text, index) || cue;
};

export function explain({ explained }: Filling, indexes: Iterable<number>, how: How): void {
  for (const index of indexes) explained.set(index, how);
}

/** Arguments that look like this and have no value yet. */
export function free({ takes, slots }: Filling, ...looks: readonly Takes[]): string[] {
  const found: string[] = [];
  for (const [arg, look] of takes) if (looks.includes(look) && !slots.has(arg)) found.push(arg);
  return found;
}

/** The argument that a value goes to: with "not" before it, the one that leaves it out. */
export const targetOf = ({ negation, takes }: Filling, arg: string): string =>
  negation !== null && takes.has(`${arg}_not`) ? `${arg}_not` : arg;

export const continues = ({ joined, last }: Filling, arg: string): boolean => joined !== null && last === arg;

/** Fills a slot from some tokens; the cue and the negation before it have done their work. */
export function fill(so: Filling, arg: string, values: readonly string[], at: number, length: number): void {
  const to = targetOf(so, arg);
  if (to !== arg && so.negation !== null) {
    explain(so, [so.negation], 'word');
    so.negation = null;
  }
  if (so.joined && so.slots.has(to)) explain(so, [so.joined.at], 'word');
  so.slots.set(to, [...new Set([...(so.slots.get(to) ?? []), ...values])]);
  explain(so, so.cue?.at ?? [], 'word');
  explain(so, so.span.slice(at, at + length), 'slot');
  so.last = arg;
  so.cue = null;
  so.joined = null;
}

/** A preposition that led nowhere carries nothing; a word such as "labelled" does. */
export function dropCue(so: Filling): void {
  const { text } = so;
  const empty = (index: number): boolean =>
    isMark(text, index) || carriesNothing(text, index) || joins(text, index, 'and');
  so.left.push(...(so.cue?.at ?? []).filter((index) => !empty(index)));
  so.cue = null;
}

export function dropNegation(so: Filling): void {
  if (so.negation !== null) so.left.push(so.negation);
  so.negation = null;
}
