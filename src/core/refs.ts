import { z } from 'zod';
import { head } from './clean-text.ts';
import { CountersignError } from './errors.ts';
import { fieldInfo, unwrap } from './fields.ts';
import type { Json, JsonObject } from './json.ts';
import type { Manifest } from './manifest.ts';
import { isEstimate } from './numbers.ts';
import type { ArgValue, Ref, Step } from './plan.ts';

export function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'ref');
}

/** `count.total` as its step and the path inside the result. */
export function splitRef(ref: string): { step: string; path: string[] } {
  const [step = '', ...path] = ref.split('.');
  return { step, path };
}

/** Every reference in an argument, in order. */
export function refsIn(value: ArgValue): string[] {
  if (isRef(value)) return [value.ref];
  if (Array.isArray(value)) return value.filter(isRef).map((part) => part.ref);
  return [];
}

/** Every reference in the arguments of a step, with the name of the argument. */
export function refsOf(step: Pick<Step, 'args'>): { arg: string; ref: string }[] {
  return Object.entries(step.args).flatMap(([arg, value]) => refsIn(value).map((ref) => ({ arg, ref })));
}

/** A value inside a result, by own keys only; undefined if it is missing. */
export function lookUp(result: Json | undefined, path: readonly string[]): Json | undefined {
  let current = result;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || Array.isArray(current)) return undefined;
    if (!Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Results of finished steps by step id. */
export type Results = ReadonlyMap<string, JsonObject>;

/** The results of those steps that have one. */
export function resultsById(
  steps: readonly { readonly stepId: string; readonly result: JsonObject | null }[],
): Results {
  return new Map(steps.flatMap(({ stepId, result }) => (result ? [[stepId, result]] : [])));
}

function asText(value: Json): string {
  if (Array.isArray(value)) return value.map(asText).join('\n');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(asText).join('  ');
  return value === null ? '' : String(value);
}

/** An argument refers to a result that is missing, or to an estimate where an exact number is needed. */
export class MissingValue extends CountersignError {
  readonly arg: string;
  readonly ref: string;
  readonly lacks: 'value' | 'exact value';

  constructor(arg: string, ref: string, lacks: MissingValue['lacks'] = 'value') {
    super('value_missing', `${ref} has no ${lacks}.`);
    this.arg = arg;
    this.ref = ref;
    this.lacks = lacks;
  }
}

/** The words in a text for a list, or lines, with nothing in it. */
export type SayNone = (ref: string) => string;

/** A result as text; an empty one is said in words, so that no text ends in mid-air. */
function refText(value: Json, ref: string, sayNone: SayNone): string {
  const text = asText(value);
  return text === '' ? sayNone(ref) : text;
}

/**
 * Arguments with every reference replaced by its value; the parts of a text field are joined. Throws a MissingValue
 * that names the reference when a value is missing: a gap is never left blank.
 */
export function fillArgs(
  manifest: Manifest,
  args: Step['args'],
  results: Results,
  sayNone: SayNone = () => '',
): JsonObject {
  const valueAt = (name: string, ref: string): Json => {
    const { step, path } = splitRef(ref);
    const result = results.get(step);
    const value = lookUp(result, path);
    if (result === undefined || value === undefined) throw new MissingValue(name, ref);
    const schema = manifest.args.shape[name];
    if (schema !== undefined && fieldInfo(schema).exact === true && isEstimate(result))
      throw new MissingValue(name, ref, 'exact value');
    return value;
  };
  const fill = (name: string, value: ArgValue): Json => {
    const textField = isTextField(manifest, name);
    if (isRef(value)) {
      const found = valueAt(name, value.ref);
      return textField ? refText(found, value.ref, sayNone) : found;
    }
    if (!Array.isArray(value)) return value;
    const parts = value.map((part) =>
      isRef(part) ? refText(valueAt(name, part.ref), part.ref, sayNone) : part,
    );
    return textField ? parts.join('') : parts;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(name, value)]));
}

/** An argument as one text with its references filled in; null when a value is missing that `sayMissing` has no words for. */
export function filledText(
  value: ArgValue,
  results: Results,
  sayNone: SayNone = () => '',
  sayMissing: (ref: string) => string | null = () => null,
): string | null {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => {
    if (!isRef(part)) return String(part);
    const { step, path } = splitRef(part.ref);
    const found = lookUp(results.get(step), path);
    return found === undefined ? sayMissing(part.ref) : refText(found, part.ref, sayNone);
  });
  return texts.includes(null) ? null : texts.join('');
}

/** True for a single text argument, where a list means parts to be joined. */
export function isTextField(manifest: Manifest, name: string): boolean {
  const schema = manifest.args.shape[name];
  return schema !== undefined && fieldInfo(schema).kind === 'text' && !(unwrap(schema) instanceof z.ZodArray);
}

/** Maximum characters of a single text argument; null for other arguments and where there is no limit. */
export function maxTextOf(manifest: Manifest, name: string): number | null {
  const schema = manifest.args.shape[name];
  if (schema === undefined || !isTextField(manifest, name)) return null;
  const inner = unwrap(schema);
  return inner instanceof z.ZodString ? inner.maxLength : null;
}

const cutMark = '… (cut)';

/** A text that results made too long for its argument, cut visibly: a page may not fail because a list is long. */
export function fittedText(manifest: Manifest, name: string, text: string): string {
  const max = maxTextOf(manifest, name);
  return max === null || text.length <= max ? text : `${head(text, max - cutMark.length)}${cutMark}`;
}
