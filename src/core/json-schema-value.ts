import { z } from 'zod';
import { CountersignError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';

/** A schema that cannot be made strict and bounded. The message names the location. */
export class SchemaError extends CountersignError {}

const maxDepth = 6;
const maxMembers = 60;
const maxItems = 100;
const maxText = 4_000;

/** Keywords that restrict a value further and that we do not read: a schema with them claims more than we check. */
const unread = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'prefixItems',
];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema at a location, with local references followed and "or null" removed. Throws a SchemaError. */
export function bounded(value: Json | undefined, root: JsonObject, at: string, depth = 0): JsonObject {
  if (value === undefined || value === true) return {};
  if (!isObject(value)) throw refuse(at, 'is no schema');
  if (depth > maxDepth) throw refuse(at, 'is nested too deep');
  const found = unread.find((keyword) => Object.hasOwn(value, keyword));
  if (found !== undefined) throw refuse(at, `uses ${found}, which is not supported`);
  if (typeof value.$ref === 'string') return bounded(referenced(value.$ref, root, at), root, at, depth + 1);
  if (!Array.isArray(value.anyOf)) return value;
  const others = value.anyOf.filter((one) => !(isObject(one) && one.type === 'null'));
  const [only] = others;
  if (others.length !== 1) throw refuse(at, 'has several alternatives, which is not supported');
  return { ...bounded(only, root, at, depth + 1), ...described(value) };
}

function described({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

function referenced(ref: string, root: JsonObject, at: string): Json | undefined {
  const match = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(ref);
  const [, group = '', name = ''] = match ?? [];
  const defined = Object.hasOwn(root, group) ? root[group] : undefined;
  if (isObject(defined) && Object.hasOwn(defined, name)) return defined[name];
  throw refuse(at, `refers to ${ref}, which is not in the schema`);
}

/** `string`, `integer` and so on, `enum` for a list of words, `any` where the schema does not say. */
export function kindOf(schema: JsonObject): string {
  if (Array.isArray(schema.enum) || schema.const !== undefined) return 'enum';
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== 'null');
  const [only] = types;
  return types.length === 1 && typeof only === 'string' ? only : 'any';
}

/**
 * A strict, bounded validator for the schema. Patterns are left to the server: a regular expression may never finish.
 * Zod's `fromJSONSchema` runs them, accepts undeclared members and endless arrays, and overflows on recursive schemas.
 */
export function readSchema(given: Json | undefined, root: JsonObject, at: string, depth = 0): z.ZodType {
  const schema = bounded(given, root, at, depth);
  switch (kindOf(schema)) {
    case 'string':
      return z.string().max(limit(schema.maxLength, maxText));
    case 'integer':
      return ranged(z.int(), schema);
    case 'number':
      return ranged(z.number(), schema);
    case 'boolean':
      return z.boolean();
    case 'enum':
      return words(schema, at);
    case 'array':
      return z
        .array(readSchema(schema.items, root, `${at}.items`, depth + 1))
        .min(typeof schema.minItems === 'number' ? schema.minItems : 0)
        .max(limit(schema.maxItems, maxItems));
    case 'object':
      return record(schema, root, at, depth);
    case 'any':
      return z.json();
    default:
      throw refuse(at, `has the type ${kindOf(schema)}, which is not known`);
  }
}

function record(schema: JsonObject, root: JsonObject, at: string, depth: number): z.ZodType {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const entries = Object.entries(properties);
  if (entries.length > maxMembers) throw refuse(at, `has more than ${maxMembers} members`);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const shape = entries.map(([name, member]): [string, z.ZodType] => {
    const value = readSchema(member, root, `${at}.${name}`, depth + 1);
    return [name, required.has(name) ? value : value.optional()];
  });
  if (entries.length > 0) return z.strictObject(Object.fromEntries(shape));
  const more = schema.additionalProperties;
  if (more === false) return z.strictObject({});
  return z.record(z.string().max(100), readSchema(more, root, `${at}.additionalProperties`, depth + 1));
}

function words({ enum: listed, const: only }: JsonObject, at: string): z.ZodType {
  const values = Array.isArray(listed) ? listed : [only];
  const plain = values.filter(
    (one): one is string | number | boolean =>
      typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean',
  );
  if (plain.length === 0 || plain.length > 200) throw refuse(at, 'has no list of words');
  const strings = plain.filter((one) => typeof one === 'string');
  return strings.length === plain.length ? z.enum(strings) : z.literal(plain);
}

function ranged(number: z.ZodNumber, { minimum, maximum }: JsonObject): z.ZodNumber {
  const from = typeof minimum === 'number' ? number.min(minimum) : number;
  return typeof maximum === 'number' ? from.max(maximum) : from;
}

function limit(declared: Json | undefined, most: number): number {
  return typeof declared === 'number' && declared >= 0 ? Math.min(declared, most) : most;
}

export function refuse(at: string, what: string): SchemaError {
  return new SchemaError('mcp_schema', `${at} ${what}`, { at });
}
