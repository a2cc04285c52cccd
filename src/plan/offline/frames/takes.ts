import { z } from 'zod';
import type { AskedArg } from '../../../core/asked.ts';
import type { Catalogue } from '../../../core/catalogue.ts';
import { fieldInfo, isOptional, unwrap } from '../../../core/fields.ts';
import type { Manifest } from '../../../core/manifest.ts';
import type { ThingKind } from '../words/thing.ts';

export type Takes = NonNullable<AskedArg['takes']> | ThingKind | 'enum';

/** Kinds of things that may stand in a slot; `asked`: only right behind a word that asks for it. */
const accepted: Partial<Record<Takes, { always?: readonly ThingKind[]; asked?: readonly ThingKind[] }>> = {
  topic: { always: ['quote'] },
  message: { always: ['quote'] },
  phrase: { always: ['quote'] },
  word: { always: ['quote', 'unknown', 'service', 'issue', 'project', 'code'], asked: ['user', 'channel'] },
  person: { always: ['user', 'unknown'] },
  code: { always: ['code', 'quote', 'issue', 'incident'], asked: ['unknown', 'project', 'number'] },
  incident: { always: ['incident', 'service'], asked: ['number'] },
  service: { asked: ['unknown'] },
  project: { asked: ['unknown'] },
  query: { asked: ['quote'] },
};

export function kindsFor(takes: Takes, isAsked: boolean): readonly ThingKind[] {
  const { always = [takes as ThingKind], asked = [] } = accepted[takes] ?? {};
  return isAsked ? [...always, ...asked] : always;
}

interface Slots {
  readonly takes: ReadonlyMap<string, Takes>;
  readonly required: readonly string[];
  readonly byLook: ReadonlyMap<Takes, readonly string[]>;
  readonly signs: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<Manifest, Slots>();

/** What a tool takes is looked up once: every word asks for it. */
function readSlots(tool: Manifest): Slots {
  const takes = new Map(Object.keys(tool.args.shape).map((arg) => [arg, lookOf(tool, arg)]));
  const isRequired = ([arg, look]: [string, Takes]): boolean => {
    const schema = tool.args.shape[arg];
    return look !== 'message' && look !== 'results' && schema !== undefined && !isOptional(schema);
  };
  const byLook = new Map(
    [...takes.values()].map((look) => [look, [...takes.keys()].filter((arg) => takes.get(arg) === look)]),
  );
  const signs = new Map([...takes].map(([arg, look]) => [arg, tagsFor(tool, arg, look)]));
  const slots = { takes, required: [...takes].filter(isRequired).map(([arg]) => arg), byLook, signs };
  known.set(tool, slots);
  return slots;
}

/** What words are that may give an argument a value, or the one that leaves it out: words for it, or things that fit. */
function tagsFor({ name }: Manifest, arg: string, look: Takes): string[] {
  const isSaid = look === 'word' || look === 'phrase' || look === 'person';
  const roles = isSaid ? ['value', 'cue', 'after'] : ['value'];
  return [
    ...[arg, `${arg}_not`].flatMap((one) => roles.map((role) => `${role} ${name} ${one}`)),
    ...(isSaid ? ['user'] : [look, ...kindsFor(look, true)]),
  ];
}

/** The same, of one argument; of a topic, which may be any words, those that call for the tool. */
export const signsOf = (tool: Manifest, arg: string): readonly string[] =>
  (known.get(tool) ?? readSlots(tool)).signs.get(arg) ?? [];

/** What the values of a tool's arguments look like. */
export const slotsOf = (tool: Manifest): Slots['takes'] => (known.get(tool) ?? readSlots(tool)).takes;

/** Arguments that a tool cannot do without and that have to be said, beside what it sends. */
export const requiredOf = (tool: Manifest): readonly string[] =>
  (known.get(tool) ?? readSlots(tool)).required;

/** What the value of an argument looks like. */
export const takesOf = (tool: Manifest, arg: string): Takes => slotsOf(tool).get(arg) ?? 'enum';

/** Whether an argument says when. */
export const isTimed = (tool: Manifest, arg: string): boolean =>
  ['time', 'duration'].includes(takesOf(tool, arg));

/** A value of an argument as plans hold it: some are numbers. */
export const valueAs = (tool: Manifest, arg: string, said: string): string | number =>
  takesOf(tool, arg) === 'number' ? Number(said) : said;

/** Whether an argument means a day, week or month from its start to its end. */
export function takesWhole({ args }: Manifest, arg: string): boolean {
  const schema = args.shape[arg];
  return schema !== undefined && fieldInfo(schema).time === 'whole';
}

function lookOf(tool: Manifest, arg: string): Takes {
  const declared = tool.asked?.args?.[arg]?.takes;
  if (declared) return declared;
  const schema = tool.args.shape[arg];
  if (schema === undefined) return 'enum';
  const { target, time } = fieldInfo(schema);
  if (time) return time === 'length' ? 'duration' : 'time';
  if (target && target !== 'transition') return target;
  return unwrap(schema) instanceof z.ZodNumber ? 'number' : 'enum';
}

/** Whether a vetted query has a parameter; where none is named, anything may be asked. */
export function queryTakes({ queries }: Pick<Catalogue, 'queries'>, named: unknown, arg: string): boolean {
  const query = queries?.find(({ name }) => name === named);
  return query === undefined || Object.hasOwn(query.parameters, arg);
}

/** The argument of a tool that takes words for people, or null. */
export const textArgOf = (tool: Manifest | undefined): string | null =>
  tool ? (argsThatTake(tool, 'message')[0] ?? null) : null;

/** The arguments of a tool whose values look like any of these, in this order. */
export function argsThatTake(tool: Manifest, ...looks: readonly Takes[]): readonly string[] {
  const { byLook } = known.get(tool) ?? readSlots(tool);
  const [look = 'enum'] = looks;
  return looks.length === 1 ? (byLook.get(look) ?? []) : looks.flatMap((one) => byLook.get(one) ?? []);
}
