import { z } from 'zod';
import { own } from '../core/own.ts';
import { suggest } from '../core/suggest.ts';
import type { Path } from './problem.ts';

/** A key that nobody knows, with the known one that was probably meant. */
export function unknownSetting(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  return `unknown setting ${key}${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** The keys that a schema knows at a path; none where it takes any. */
export function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  const at = bare(schema);
  const [first, ...rest] = path;
  if (first === undefined) return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
  if (at instanceof z.ZodArray) return keysAt(at.element, rest);
  if (at instanceof z.ZodRecord) return keysAt(at.valueType, rest);
  const next = at instanceof z.ZodObject ? own(at.shape, String(first)) : undefined;
  return next === undefined ? [] : keysAt(next, rest);
}

/** Without what only says that it may be left out, or what it is then. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return bare(schema.def.innerType);
  return schema instanceof z.ZodPipe ? bare(schema.def.in) : schema;
}
