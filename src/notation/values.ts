import { z } from 'zod';
import type { Code } from '../core/code.ts';
import { fieldInfo, unwrap } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { ArgValue } from '../core/plan.ts';
import { isRef } from '../core/refs.ts';
import { suggest } from '../core/suggest.ts';
import { plainWords } from '../core/value-words.ts';
import { inCode, type Problems } from './problems.ts';
import { escapedText, isBareWord, type Piece } from './quoting.ts';
import type { RawArg, Written } from './raw-args.ts';

/** The value of `{name}` in a playbook, in an argument and, if numeric there, in a condition. */
export interface Input {
  readonly value: string | number;
  readonly inCondition: number | null;
}
export type Inputs = ReadonlyMap<string, Input>;
export const noInputs: Inputs = new Map();

export interface ValueContext {
  /** Manifests of the steps by step id. */
  readonly scope: ReadonlyMap<string, Manifest>;
  /** Code of the steps that have one. */
  readonly codes: ReadonlyMap<string, Code>;
  /** All steps by id, for "did you mean". */
  readonly ids: readonly string[];
  /** True for a step that may exist: its tool is unknown, or some step could not be read. */
  readonly mayBe: (step: string) => boolean;
  readonly inputs: Inputs;
  /** In a step for each entry of a list: the name of an entry, and its reference. */
  readonly item?: { readonly name: string; readonly ref: string } | null;
  readonly problems: Problems;
}

/** Words and results in one text. */
const maxParts = 60;

type Part = Extract<ArgValue, readonly unknown[]>[number];
type Token = Exclude<Piece, string>;

/** The reference a token stands for; null if unknown, and `problems` then says so. */
function refOf(
  { name, at, literal }: Token,
  { scope, ids, mayBe, inputs, item, problems }: ValueContext,
): Part | null {
  if (item?.name === name) return { ref: item.ref };
  const input = inputs.get(name);
  if (input) return String(input.value);
  const [step = '', field, ...below] = name.split('.');
  const word = { text: name, at };
  const manifest = scope.get(step);
  if (!manifest) {
    if (literal !== undefined) return literal;
    if (mayBe(step)) return { ref: name };
    const meant = suggest(step, [...ids, ...inputs.keys()]);
    const help = meant === null ? ` For braces as text write ${inCode(`\\{${name}}`)}.` : '';
    const other = meant && [meant, ...name.split('.').slice(1)].join('.');
    const what = inputs.size > 0 ? 'step or input' : 'step';
    problems.add('unknown_step', word, `There is no ${what} ${inCode(step)}.${help}`, other && `{${other}}`);
    return null;
  }
  const known = Object.keys(manifest.result.shape);
  const chosen = field ?? manifest.main;
  if (chosen !== undefined && known.includes(chosen)) return { ref: [step, chosen, ...below].join('.') };
  const meant = field === undefined ? null : suggest(field, known);
  const message = `${inCode(manifest.name)} returns ${field === undefined ? '' : `no ${inCode(field)}; it returns `}${known.join(', ')}.`;
  problems.add('unknown_field', word, message, meant && `{${step}.${meant}}`);
  return null;
}

/** Words and results as one value: a text, a single reference if it is bare, or a list of parts. */
function joined(written: Written, context: ValueContext): ArgValue | null {
  const [first, ...others] = written.pieces;
  if (!written.quoted && others.length === 0 && typeof first === 'object') return refOf(first, context);
  const parts: Part[] = [];
  for (const piece of written.pieces) {
    const part = typeof piece === 'string' ? piece : refOf(piece, context);
    if (part === null) return null;
    const before = parts.at(-1);
    if (typeof part === 'string' && typeof before === 'string') parts[parts.length - 1] = before + part;
    else parts.push(part);
  }
  return parts.some(isRef) ? parts : (parts[0] ?? '');
}

/** A word converted to the argument's type; quoted words are always text. */
function typed(text: string, schema: z.core.$ZodType): string | number | boolean {
  const inner = unwrap(schema);
  const isOpen = fieldInfo(schema).kind === 'input';
  if ((isOpen || inner instanceof z.ZodNumber) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text))
    return Number(text);
  if ((isOpen || inner instanceof z.ZodBoolean) && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

const fits = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

/** The value of an argument, checked; null when it is wrong, and `problems` then says why. */
export function readValue(arg: RawArg, schema: z.core.$ZodType, context: ValueContext): ArgValue | null {
  const { value: raw } = arg;
  if (raw.kind === 'list') {
    const items = raw.items.map((item) => joined(item, context));
    if (items.some((item) => item === null)) return null;
    const list = items.flatMap((item) => item as Part | Part[]);
    const open = fieldInfo(schema).kind === 'text' || list.some(isRef);
    if (list.length <= maxParts && (open || fits(schema, list))) return list;
    // An argument whose values plans cannot express is JSON.
    const json = [raw.text, JSON.stringify(list)].find((text) => fits(schema, text));
    return json ?? wrong(arg, list, schema, context);
  }
  const input = inputAlone(raw, context.inputs);
  if (input !== undefined) {
    return [input, String(input)].find((one) => fits(schema, one)) ?? wrong(arg, input, schema, context);
  }
  const value = joined(raw, context);
  if (Array.isArray(value) && value.length > maxParts) return wrong(arg, value, schema, context);
  if (value === null || typeof value !== 'string') return value;
  const literal = raw.quoted ? value : typed(value, schema);
  if (fits(schema, literal)) {
    return !raw.quoted && isForgottenBrace(value, context) ? unbraced(arg, value, context) : literal;
  }
  // Phones capitalise the first letter.
  const other = raw.quoted
    ? undefined
    : [value.toUpperCase(), value.toLowerCase()].find((one) => fits(schema, one));
  return other ?? wrong(arg, literal, schema, context);
}

/** The value of an input that makes up the whole argument; nothing in it is interpreted. */
function inputAlone({ pieces }: Written, inputs: Inputs): string | number | undefined {
  const [first, ...others] = pieces;
  return others.length === 0 && typeof first === 'object' ? inputs.get(first.name)?.value : undefined;
}

/** `issue=list.first`: the name of a result that lacks its braces. */
function isForgottenBrace(text: string, { scope }: Pick<ValueContext, 'scope'>): boolean {
  const [step = '', field = '', ...more] = text.split('.');
  return more.length === 0 && own(scope.get(step)?.result.shape ?? {}, field) !== undefined;
}

function unbraced({ value }: RawArg, text: string, { problems }: ValueContext): null {
  const message = `${inCode(text)} as a word or as a result? For the word write ${inCode(`"${text}"`)}.`;
  problems.add('bad_value', { text, at: value.at }, message, `{${text}}`);
  return null;
}

function wrong(
  { name, value: { at } }: RawArg,
  value: ArgValue,
  schema: z.core.$ZodType,
  context: ValueContext,
): null {
  const text = String(value);
  if (isForgottenBrace(text, context))
    return unbraced({ name, value: { kind: 'list', items: [], at, text: '' } }, text, context);
  const inner = unwrap(schema);
  const options = inner instanceof z.ZodEnum ? inner.options.map(String) : [];
  const isLong = Array.isArray(value) && value.length > maxParts;
  const issue = z.safeParse(schema, value, { error: plainWords }).error?.issues[0];
  const why = isLong ? `has more than ${maxParts} parts` : (issue?.message ?? 'does not fit');
  context.problems.add('bad_value', { text, at }, `${inCode(name.text)} ${why}.`, suggest(text, options));
  return null;
}

/** A value in the form that `readValue` reads back unchanged. */
export function valueText(
  value: ArgValue,
  about: {
    readonly schema: z.core.$ZodType | undefined;
    readonly scope: ReadonlyMap<string, Manifest>;
    readonly inputs: ReadonlySet<string>;
  },
): string {
  const quoted = (text: string): string => `"${escapedText(text, about.inputs)}"`;
  if (isRef(value)) return `{${value.ref}}`;
  if (Array.isArray(value)) {
    const item = (part: Part): string => (isRef(part) ? `{${part.ref}}` : quoted(part));
    return isJoined(value)
      ? `"${value.map((part) => (isRef(part) ? `{${part.ref}}` : escapedText(part, about.inputs))).join('')}"`
      : `[${value.map(item).join(', ')}]`;
  }
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value);
  if (isPlaceholder(value, about.inputs)) return value;
  const isText =
    about.schema !== undefined && typed(value, about.schema) === value && fits(about.schema, value);
  return isText && isBareWord(value) && !isForgottenBrace(value, about) ? value : quoted(value);
}

function isPlaceholder(value: string, inputs: ReadonlySet<string>): boolean {
  return value.startsWith('{') && value.endsWith('}') && inputs.has(value.slice(1, -1));
}

/** True for the parts of a quotation: words and results in turn, with at least one result. */
function isJoined(parts: readonly Part[]): boolean {
  return (
    parts.some(isRef) &&
    parts.every((part, index) => isRef(part) || (part !== '' && !(typeof parts[index + 1] === 'string')))
  );
}
