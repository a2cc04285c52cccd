import { z } from 'zod';
import { numberInput, option, selectInput, textInput } from '../../blocks/inputs.ts';
import { limits } from '../../blocks/limits.ts';
import type { Block } from '../../blocks/message.ts';
import { line, rich } from '../../blocks/rich.ts';
import { type Catalogue, namesOf } from '../../core/catalogue.ts';
import { fieldInfo, isOptional, unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Step } from '../../core/plan.ts';
import { isRef, isTextField, refsIn, splitRef } from '../../core/refs.ts';
import { argText, capital, nounFor, type Vocabulary } from '../../core/step-words.ts';

/** How an argument is edited. `kept`: not editable in a field; stays as it is. */
export type ArgField = 'kept' | 'choice' | 'number' | 'list' | 'text';

export function argBlockId(step: string, arg: string): string {
  return `arg:${step}:${arg}`;
}

export interface ArgPlace {
  readonly step: Step;
  readonly name: string;
  readonly manifest: Manifest;
}

export function argLabel(name: string): string {
  return capital(name.replaceAll('_', ' '));
}

/** An argument that the plan does not set is edited as an empty one. */
export function argField({ step, name, manifest }: ArgPlace): ArgField {
  const schema = manifest.args.shape[name];
  const value = step.args[name] ?? '';
  if (schema === undefined || isRef(value) || fieldInfo(schema).kind === 'input') return 'kept';
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return refsIn(value).length > 0 ? 'kept' : 'list';
  if (isTextField(manifest, name)) {
    return argText(value).length > limits.inputText || hasTokenLookalike(value) ? 'kept' : 'text';
  }
  if (Array.isArray(value)) return 'kept';
  if (inner instanceof z.ZodNumber) return 'number';
  const isChoice = inner instanceof z.ZodEnum || inner instanceof z.ZodBoolean || fieldInfo(schema).target;
  return isChoice ? 'choice' : 'text';
}

/** The input for one argument, filled with its value if it has one. */
export function argBlock(place: ArgPlace, words: Vocabulary, catalogue: Catalogue): Block {
  const { step, name, manifest } = place;
  const schema = manifest.args.shape[name];
  const value = step.args[name] ?? '';
  const label = argLabel(name);
  const field = argField(place);
  if (schema === undefined || field === 'kept') return rich([line(`${label}: ${keptWords(value, words)}`)]);
  const of = { blockId: argBlockId(step.id, name), label, optional: isOptional(schema) };
  if (field === 'number') return numberBlock(of, schema, String(value));
  const options = field === 'choice' ? choices(schema, String(value), catalogue) : [];
  if (options.length > 0) {
    return selectInput({ ...of, options: options.map((one) => option(one)), value: String(value) });
  }
  const refs = refsIn(value).map((ref) => `{${ref}} stands for ${nounFor(ref, words)}`);
  const text = field === 'list' ? listText(value) : argText(value);
  const about = value === '' ? (z.globalRegistry.get(unwrap(schema))?.description ?? '') : '';
  const hint = field === 'list' ? 'One per line.' : refs.join('; ') || about;
  const multiline = field === 'list' || text.length > 60 || text.includes('\n');
  return textInput({ ...of, value: text, multiline, ...(hint ? { hint } : {}) });
}

function keptWords(value: ArgValue, words: Vocabulary): string {
  if (isRef(value))
    return `${nounFor(value.ref, words)} (from step ${value.ref.split('.')[0]}; change it in words)`;
  return 'stays as it is (change it in words)';
}

function numberBlock(
  of: { blockId: string; label: string; optional: boolean },
  schema: z.core.$ZodType,
  value: string,
): Block {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodNumber)) return textInput({ ...of, value });
  const { minValue, maxValue } = inner;
  const bounded = (bound: number | null) => bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return numberInput({
    ...of,
    value,
    decimal: !inner.isInt,
    ...(bounded(minValue) ? { min: minValue ?? 0 } : {}),
    ...(bounded(maxValue) ? { max: maxValue ?? 0 } : {}),
  });
}

/** The available choices, always including the current value. Empty if they cannot be listed. */
function choices(schema: z.core.$ZodType, value: string, catalogue: Catalogue): string[] {
  const inner = unwrap(schema);
  const { target } = fieldInfo(schema);
  const known =
    inner instanceof z.ZodEnum
      ? inner.options.map(String)
      : inner instanceof z.ZodBoolean
        ? ['true', 'false']
        : target === 'severity'
          ? ['P1', 'P2', 'P3', 'P4', 'P5']
          : target
            ? namesOf(catalogue, target)
            : [];
  const bare = (name: string): string => name.replace(/^[#@]/, '');
  return [...(value === '' ? [] : [value]), ...known.filter((name) => bare(name) !== bare(value))];
}

function listText(value: ArgValue): string {
  return Array.isArray(value) ? value.map(String).join('\n') : String(value);
}

/** In a text field a reference is shown as `{step.field}`, so that the words around it can be edited. */
const token = /\{([a-z][a-z0-9_]{0,31}(?:\.[a-z][A-Za-z0-9_]{0,40}){1,3})\}/g;

/** True when literal text looks like a reference: as a token it would turn into one. */
export function hasTokenLookalike(value: ArgValue): boolean {
  const literal = Array.isArray(value) ? value.filter((part) => !isRef(part)) : [value];
  return literal.some((part) => typeof part === 'string' && part.search(token) >= 0);
}

/**
 * Text with tokens as an argument: plain text, or its parts. A token of an existing step must name one of its results;
 * braces around anything else are text.
 */
export function fromTokens(
  text: string,
  words: Vocabulary,
): { ok: true; value: ArgValue } | { ok: false; message: string } {
  const parts: (string | { ref: string })[] = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    const ref = match[1] ?? '';
    const { step, path } = splitRef(ref);
    const manifest = words.scope.get(step);
    if (!manifest) continue;
    if (!Object.hasOwn(manifest.result.shape, path[0] ?? '')) {
      const known = Object.keys(manifest.result.shape).map((field) => `${step}.${field}`);
      return { ok: false, message: `{${ref}} is not a result. You can use: ${known.join(', ')}` };
    }
    if (match.index > last) parts.push(text.slice(last, match.index));
    parts.push({ ref });
    last = match.index + match[0].length;
  }
  if (parts.length === 0) return { ok: true, value: text };
  if (last < text.length) parts.push(text.slice(last));
  return { ok: true, value: parts };
}
