import { z } from 'zod';
import { secretsOf } from '../core/actions.ts';
import { own } from '../core/own-property.ts';
import { suggest } from '../core/suggest.ts';
import type { Path } from './complaint.ts';
import { envSchema } from './env-schema.ts';
import type { Given } from './process-role.ts';
import type { OperatorConfig } from './schema.ts';

/** A set variable that was probably meant as a missing setting. */
export interface Misspelt {
  readonly typed: string;
  readonly meant: string;
}

/** Variables named in the operator's file, for the file or one of its workspaces. */
export function namedVariables({
  services,
  databases,
  mcp,
  alerts,
  agents,
  actions,
}: OperatorConfig): string[] {
  const servers = Object.values(mcp).flatMap(({ env, token = [] }) => [env, token].flat());
  const keys = Object.values(services).flatMap((service) => service.routing_key ?? []);
  const urls = Object.values(databases).map(({ url }) => url);
  const secrets = Object.values(alerts.doors).flatMap(
    ({ bearer, basic, hmac }) => bearer ?? basic ?? hmac ?? [],
  );
  const tokens = Object.values(agents).flatMap(({ token }) => token ?? []);
  return [...keys, ...urls, ...servers, ...secrets, ...tokens, ...Object.values(actions).flatMap(secretsOf)];
}

/** `named`: variables named in the operator's file, which count as known. */
export function misspelt(variables: Given, named: readonly string[] = []): Misspelt[] {
  const known = [...Object.keys(envSchema.shape), ...named];
  const isSet = (name: string): boolean => Boolean(variables[name]?.trim());
  const open = known.filter((name) => name.includes('_') && !isSet(name));
  const strange = Object.keys(variables).filter((name) => isSet(name) && !known.includes(name));
  return strange.flatMap((typed) => {
    const meant = open.find((name) => isNear(typed, name)) ?? open.find((name) => lacksWord(typed, name));
    return meant === undefined ? [] : [{ typed, meant }];
  });
}

export const misspeltWords = ({ typed, meant }: Misspelt): string =>
  `${typed} is no setting of Countersign; did you mean ${meant}?`;

/** Word by word: compared as a whole, other programs' names such as APP_PORT would be close to ours. */
function isNear(typed: string, name: string): boolean {
  const [theirs, ours] = [typed, name].map((each) => each.toLowerCase().split('_')) as [string[], string[]];
  if (theirs.join('') === ours.join('')) return true;
  return theirs.length === ours.length && theirs.every((word, at) => suggest(word, ours.slice(at, at + 1)));
}

/** PAGERDUTY_TOKEN for PAGERDUTY_API_TOKEN: a word between the first and the last is missing. */
function lacksWord(typed: string, name: string): boolean {
  const words = name.split('_');
  return words.slice(1, -1).some((_word, at) => words.toSpliced(at + 1, 1).join('_') === typed);
}

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
