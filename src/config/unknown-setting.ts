import { z } from 'zod';
import { own } from '../core/own-property.ts';
import { suggest } from '../core/suggest.ts';
import type { Path } from './complaint.ts';

/** An unknown key, with the likely intended one. */
export function unknownSetting(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  return `unknown setting ${key}${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** The keys a schema accepts at a path; empty where it accepts any. */
export function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  const at = bare(schema);
  const [first, ...rest] = path;
  if (first === undefined) return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
  if (at instanceof z.ZodArray) return keysAt(at.element, rest);
  if (at instanceof z.ZodRecord) return keysAt(at.valueType, rest);
  const next = at instanceof z.ZodObject ? own(at.shape, String(first)) : undefined;
  return next === undefined ? [] : keysAt(next, rest);
}

/** Unwraps schemas that only make a value optional or give it a default. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return bare(schema.def.innerType);
  return schema instanceof z.ZodPipe ? bare(schema.def.in) : schema;
}
