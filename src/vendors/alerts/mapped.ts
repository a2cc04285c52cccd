import type { FoundAlert } from './bounded-alert.ts';
import type { FieldPointers } from './door.ts';

/** Reads any JSON by the operator's pointers. Null when there is no list where one should be. */
export function readMapped(
  body: unknown,
  fields: FieldPointers,
): { found: (FoundAlert | null)[]; leftOut: number } | null {
  const all = fields.alerts === undefined ? [body] : at(body, fields.alerts);
  return Array.isArray(all) ? { found: all.map((one) => readOne(one, fields)), leftOut: 0 } : null;
}

function readOne(given: unknown, fields: FieldPointers): FoundAlert | null {
  const said = (pointer: string | undefined): string | null => {
    const value = pointer === undefined ? undefined : at(given, pointer);
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain && value !== '' ? String(value) : null;
  };
  const [state, title] = [said(fields.state), said(fields.title)];
  if (state === null || title === null) return null;
  const isOver = fields.resolved.some((one) => one.toLowerCase() === state.toLowerCase());
  const all = fields.labels === undefined ? undefined : at(given, fields.labels);
  const single = Object.entries(fields.label).flatMap(([name, pointer]): [string, string][] => {
    const value = said(pointer);
    return value === null ? [] : [[name, value]];
  });
  return {
    ...{ id: said(fields.id), isOver, title, text: said(fields.text) ?? '', link: said(fields.link) ?? '' },
    labels: { ...(isObject(all) ? all : {}), ...Object.fromEntries(single) },
    since: time(said(fields.since)),
    until: isOver ? time(said(fields.until)) : null,
  };
}

/** Seconds or milliseconds since 1970, or a time in words of a machine. */
function time(said: string | null): string | null {
  if (said === null || !/^\d{9,14}(\.\d+)?$/.test(said)) return said;
  const number = Number(said);
  return new Date(number < 1e11 ? number * 1_000 : number).toISOString();
}

/** The value at a JSON pointer (RFC 6901). */
function at(value: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((inner, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(inner)) return /^(0|[1-9]\d*)$/.test(name) ? inner[Number(name)] : undefined;
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
