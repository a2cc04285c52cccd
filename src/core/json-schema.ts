import { z } from 'zod';
import { cut, oneLine } from './clean-text.ts';
import { type TargetKind, target, text } from './fields.ts';
import { type Json, type JsonObject, parseJson } from './json.ts';
import { bounded, isObject, kindOf, readSchema, refuse } from './json-schema-value.ts';

/** The operator's settings for one argument. */
export interface ArgumentNote {
  readonly name?: string | undefined;
  readonly target?: TargetKind | undefined;
}

export interface MappedArguments {
  /** Strict: undeclared arguments are rejected. */
  readonly args: z.ZodObject;
  /** Maps a plan's arguments to the names and shape that the schema expects. */
  readonly toServer: (args: Readonly<Record<string, unknown>>) => JsonObject;
}

const maxArguments = 40;
const maxText = 4_000;

/**
 * The arguments of a JSON Schema in our own form: a string is text unless a note gives it a target, and nested values
 * are given as JSON. Throws a SchemaError.
 */
export function mapArguments(
  schema: JsonObject,
  notes: Readonly<Record<string, ArgumentNote>>,
): MappedArguments {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  if (Object.keys(properties).length > maxArguments)
    throw refuse('input', `has more than ${maxArguments} arguments`);
  const unknown = Object.keys(notes).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw refuse(`args.${unknown}`, 'is not an argument of this tool');
  const shape: Record<string, z.ZodType> = {};
  const places = new Map<string, Place>();
  for (const [given, property] of Object.entries(properties)) {
    const note = Object.hasOwn(notes, given) ? notes[given] : undefined;
    const name = note?.name ?? planName(given);
    if (!/^[a-z][a-z_]{0,40}$/.test(name)) {
      throw refuse(`args.${given}`, 'needs a name of lower case letters and _ for plans: {name: …}');
    }
    if (Object.hasOwn(shape, name))
      throw refuse(`args.${given}`, `has the same name in plans as another: ${name}`);
    const { field, isJson } = fieldFor(given, property, { root: schema, note });
    shape[name] = required.has(given) ? field : field.optional();
    places.set(name, { given, isJson });
  }
  return { args: z.strictObject(shape), toServer: (args) => atServer(args, places) };
}

interface Place {
  readonly given: string;
  readonly isJson: boolean;
}

function atServer(args: Readonly<Record<string, unknown>>, places: ReadonlyMap<string, Place>): JsonObject {
  return Object.fromEntries(
    [...places].flatMap(([name, { given, isJson }]): [string, Json][] => {
      const value = args[name];
      if (value === undefined) return [];
      return [[given, z.json().parse(isJson ? parseJson(String(value)) : value)]];
    }),
  );
}

/** `entityName` is `entity_name`, `max-results` is `max_results`. */
export function planName(given: string): string {
  return given
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toLowerCase();
}

function fieldFor(
  given: string,
  property: Json | undefined,
  { root, note }: { root: JsonObject; note: ArgumentNote | undefined },
): { field: z.ZodType; isJson: boolean } {
  const at = `input.properties.${given}`;
  const schema = bounded(property, root, at);
  const about =
    cut(oneLine(typeof schema.description === 'string' ? schema.description : given), 120) || given;
  const kind = kindOf(schema);
  const isStrings = kind === 'array' && kindOf(bounded(schema.items, root, `${at}.items`)) === 'string';
  if (note?.target !== undefined) {
    if (kind !== 'string' && !isStrings) throw refuse(`args.${given}`, 'is not text and cannot name a thing');
    const named = target(note.target, about);
    return { field: isStrings ? z.array(named).max(50).describe(about) : named, isJson: false };
  }
  if (kind === 'string') return { field: text(lengthIn(schema), about), isJson: false };
  if (kind === 'number' || kind === 'integer' || kind === 'boolean' || kind === 'enum') {
    return { field: readSchema(schema, root, at).describe(about), isJson: false };
  }
  if (isStrings) return { field: z.array(text(maxText, about)).max(50).describe(about), isJson: false };
  return { field: jsonText(readSchema(schema, root, at), about), isJson: true };
}

function lengthIn({ maxLength }: JsonObject): number {
  return typeof maxLength === 'number' && maxLength >= 1 ? Math.min(maxLength, maxText) : maxText;
}

/** Values that plans cannot express are given as JSON, literals only, so that nothing read later can shape them. */
function jsonText(schema: z.ZodType, about: string): z.ZodString {
  return z
    .string()
    .max(maxText)
    .superRefine((written, context) => {
      const parsed = schema.safeParse(parseJson(written));
      if (parsed.success) return;
      const [issue] = parsed.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
      context.addIssue({
        code: 'custom',
        message: `must be JSON that fits: ${where}${issue?.message ?? ''}`,
      });
    })
    .describe(`${about}, as JSON`);
}
