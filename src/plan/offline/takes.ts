import { z } from 'zod';
import { fieldInfo, unwrap } from '../../core/fields.ts';
import type { AskedArg, Manifest } from '../../core/manifest.ts';
import type { ThingKind } from './thing.ts';

export type Takes = NonNullable<AskedArg['takes']> | ThingKind | 'enum';

const looks = new WeakMap<Manifest, ReadonlyMap<string, Takes>>();

/** What the values of a tool's arguments look like. */
export function slotsOf(tool: Manifest): ReadonlyMap<string, Takes> {
  const known =
    looks.get(tool) ?? new Map(Object.keys(tool.args.shape).map((arg) => [arg, lookOf(tool, arg)]));
  looks.set(tool, known);
  return known;
}

/** What the value of an argument looks like. */
export const takesOf = (tool: Manifest, arg: string): Takes => slotsOf(tool).get(arg) ?? 'enum';

function lookOf(tool: Manifest, arg: string): Takes {
  const declared = tool.asked?.args?.[arg]?.takes;
  if (declared) return declared;
  const schema = tool.args.shape[arg];
  if (schema === undefined) return 'enum';
  const { target } = fieldInfo(schema);
  if (target && target !== 'transition') return target;
  return unwrap(schema) instanceof z.ZodNumber ? 'number' : 'enum';
}

/** The argument of a tool that takes words for people, or null. */
export function textArgOf(tool: Manifest | undefined): string | null {
  const args = Object.keys(tool?.args.shape ?? {});
  return (tool && args.find((arg) => takesOf(tool, arg) === 'message')) ?? null;
}
