import { z } from 'zod';
import { fieldInfo, isOptional, unwrap } from '../../core/fields.ts';
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
export const textArgOf = (tool: Manifest | undefined): string | null =>
  tool ? (argsThatTake(tool, 'message')[0] ?? null) : null;

/** The arguments of a tool that take what is sent: words, or the results of others. */
export const argsThatTake = (tool: Manifest, ...looks: readonly Takes[]): string[] =>
  [...slotsOf(tool)].flatMap(([arg, takes]) => (looks.includes(takes) ? [arg] : []));

/** Arguments that a tool cannot do without and that have to be said, beside what it sends. */
export const requiredOf = (tool: Manifest): string[] =>
  [...slotsOf(tool)].flatMap(([arg, takes]) => {
    const schema = tool.args.shape[arg];
    return takes !== 'message' && takes !== 'results' && schema && !isOptional(schema) ? [arg] : [];
  });
