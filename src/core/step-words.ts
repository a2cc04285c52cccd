import { manifestOf } from './code-step.ts';
import type { Scope } from './condition.ts';
import { listOfItem } from './for-each.ts';
import type { ArgWords, Manifest } from './manifest.ts';
import type { ArgValue, Step } from './plan.ts';
import { isRef, type Results, splitRef } from './refs.ts';

/** The steps by id, and their manifests. */
export interface Vocabulary {
  readonly steps: ReadonlyMap<string, Step>;
  readonly scope: Scope;
  /** If given, conditions include the values of their fields: "open P1 tickets in OPS (24) > …". */
  readonly results?: Results;
  /** With results: show only the values. */
  readonly bare?: true;
  /** Names that people know, by the vendor's ids that stand in arguments. */
  readonly called?: ReadonlyMap<string, string>;
}

/** A vendor's id, and the name that people know. */
export interface Called {
  readonly value: string;
  readonly called?: string | undefined;
}

export function vocabularyOf(
  steps: readonly Step[],
  manifests: ReadonlyMap<string, Manifest>,
  targets: readonly Called[] = [],
): Vocabulary {
  const scope = new Map<string, Manifest>();
  for (const step of steps) {
    const manifest = manifestOf(step, manifests);
    if (manifest) scope.set(step.id, manifest);
  }
  const called = targets.flatMap((one): [string, string][] => (one.called ? [[one.value, one.called]] : []));
  return { steps: new Map(steps.map((step) => [step.id, step])), scope, called: new Map(called) };
}

/** A plan that nobody has checked may refer in circles. */
const maxDepth = 4;

/** A result field in plain words: "open P1 tickets in OPS". Falls back to `step.field`. */
export function nounFor(ref: string, words: Vocabulary, depth = 0): string {
  const list = listOfItem(ref);
  if (list !== null) return `each of ${nounFor(list, words, depth)}`;
  const { step: id, path } = splitRef(ref);
  const step = words.steps.get(id);
  const noun = words.scope.get(id)?.nouns[path[0] ?? ''];
  const say = (value: ArgValue): string =>
    isRef(value) && depth < maxDepth ? nounFor(value.ref, words, depth + 1) : argText(value);
  return step && noun ? noun(wordsFor(step, (value) => named(value, words) ?? say(value))) : ref;
}

export function wordsFor({ args }: Step, say: (value: ArgValue) => string): ArgWords {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, say(value)]));
}

const named = (value: ArgValue, { called }: Vocabulary): string | undefined =>
  typeof value === 'string' ? called?.get(value) : undefined;

/** An argument as stored: text verbatim, references in braces (`{count.total}` unless `name` says otherwise), joined. */
export function argText(value: ArgValue, name: (ref: string) => string = (ref) => `{${ref}}`): string {
  if (isRef(value)) return name(value.ref);
  return Array.isArray(value) ? value.map((part) => argText(part, name)).join('') : String(value);
}

/** Arguments as words, references named by their nouns in angle quotes: "OPS has ‹open P1 tickets in OPS›". */
export function argWords(step: Step, words: Vocabulary): ArgWords {
  return wordsFor(step, (value) =>
    isRef(value) && listOfItem(value.ref) !== null
      ? nounFor(value.ref, words)
      : (named(value, words) ?? argText(value, (ref) => `‹${nounFor(ref, words)}›`)),
  );
}

/** The step as a sentence, without a full stop. */
export function stepSentence(step: Step, words: Vocabulary): string {
  return words.scope.get(step.id)?.sentence(argWords(step, words)) ?? step.tool;
}

/** Capitalises the first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The sentence without the text that the step sends: "Page the on-call of ops". */
export function withoutText(sentence: string): string {
  return sentence.replace(/: “[\s\S]*$/, '');
}
