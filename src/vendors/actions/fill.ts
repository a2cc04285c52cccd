import type { Action } from '../../core/actions.ts';
import { ArgumentRefused } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { own } from '../../core/own-property.ts';

/** Values by name: parameters, and `key`. An optional one that is absent has none. */
export type Values = Readonly<Record<string, string | number>>;

const token = /\{([a-z][a-z_]*)\}/g;
const alone = /^\{([a-z][a-z_]*)\}$/;

/** The values that a call fills in: what the plan says, and the operator's defaults. */
export function valuesOf(
  { parameters }: Pick<Action, 'parameters'>,
  args: Readonly<Record<string, unknown>>,
  key: string,
): Values {
  const values = Object.entries(parameters).flatMap(([name, { default: usual }]) => {
    const value = own(args, name) ?? usual;
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(values), key };
}

function filled(text: string, values: Values, encode: (value: string) => string = (value) => value): string {
  return text.replaceAll(token, (_all, name: string) => encode(String(own(values, name) ?? '')));
}

/**
 * An address with its parameters. In a path each value is one segment or a part of one, whatever is in it; in a query
 * it is one value.
 */
export function address(
  { url, query }: { readonly url: string; readonly query: Readonly<Record<string, string>> },
  values: Values,
): URL {
  const [path = '', ...rest] = url.split('?');
  const made = new URL(filled(path, values, segment));
  // Dots that are left alone would lead to another path.
  if (
    filled(path, values, segment)
      .split('/')
      .some((part) => part === '.' || part === '..')
  )
    throw new ArgumentRefused('bad_path', 'A value would lead to another path.', 'the action');
  for (const [name, value] of [...new URLSearchParams(rest.join('?')), ...Object.entries(query)]) {
    const only = alone.exec(value)?.[1];
    if (only !== undefined && own(values, only) === undefined) continue;
    made.searchParams.append(name, filled(value, values));
  }
  return made;
}

/** Dots are not encoded by `encodeURIComponent`. */
function segment(value: string): string {
  if (value === '') throw new ArgumentRefused('bad_path', 'A part of its address is missing.', 'the action');
  return encodeURIComponent(value);
}

/** A body with its parameters: one that stands alone keeps its type, and its field is left out where it is absent. */
export function body(given: JsonObject, values: Values): JsonObject {
  const entries = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
    const made = inBody(value, values);
    return made === undefined ? [] : [[name, made]];
  });
  return Object.fromEntries(entries);
}

function inBody(value: Json, values: Values): Json | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => inBody(item, values) ?? []);
  if (typeof value === 'object' && value !== null) return body(value, values);
  if (typeof value !== 'string') return value;
  const only = alone.exec(value)?.[1];
  return only === undefined ? filled(value, values) : own(values, only);
}

export function form(given: Readonly<Record<string, string>>, values: Values): URLSearchParams {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    const only = alone.exec(value)?.[1];
    if (only === undefined || own(values, only) !== undefined) made.append(name, filled(value, values));
  }
  return made;
}

/** The text of a look-up's condition. */
export const text = (template: string, values: Values): string => filled(template, values);

/** The value at a JSON pointer, by own keys only; undefined where there is none. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    current = own<Json>(current as JsonObject, key);
  }
  return current;
}
