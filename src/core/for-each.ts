import { z } from 'zod';
import { fieldInfo, type TargetKind, unwrap } from './fields.ts';
import type { Manifest } from './manifest.ts';
import { own } from './own-property.ts';
import type { ArgValue, Plan, Step } from './plan.ts';
import { isRef } from './refs.ts';
import { renameStep } from './rename.ts';

/** A person reads each target before approving; more than this many nobody does. */
export const maxTargets = 10;

/** `list.keys.item`: inside a step for each of `list.keys`, the entry that it is about. */
export function itemRef(list: string): string {
  return `${list}.item`;
}

/** The list whose entry a reference names; null for any other reference. */
export function listOfItem(ref: string): string | null {
  return ref.split('.').length === 3 && ref.endsWith('.item') ? ref.slice(0, -'.item'.length) : null;
}

/** The kind of the things in a result field; null where it is no list of things that a write can target. */
export function kindInList({ result }: Manifest, field: string): TargetKind | null {
  const schema = own(result.shape, field);
  return schema && unwrap(schema) instanceof z.ZodArray ? (fieldInfo(schema).target ?? null) : null;
}

/** The results of a tool that are lists of things that a write can target. */
export function listFields(manifest: Manifest): string[] {
  return Object.keys(manifest.result.shape).filter((field) => kindInList(manifest, field) !== null);
}

/** The lists for each of whose entries a plan writes. */
export function listsIn({ steps }: Pick<Plan, 'steps'>): string[] {
  return [...new Set(steps.flatMap(({ each }) => each ?? []))];
}

/** The plan with a write of its own for each entry, about that entry alone, in place of each write for a list. */
export function expanded(plan: Plan, entries: ReadonlyMap<string, readonly string[]>): Plan {
  const taken = new Set(plan.steps.map(({ id }) => id));
  const made = new Map<string, readonly string[]>();
  const steps = plan.steps.flatMap((step): Step[] => {
    const found = step.each === undefined ? undefined : entries.get(step.each);
    if (found === undefined) return [step];
    const own = found.map((entry, nth) => literal(step, entry, nth === 0 ? step.id : freeId(step.id, taken)));
    made.set(
      step.id,
      own.map(({ id }) => id),
    );
    return own;
  });
  return {
    ...plan,
    steps: steps.map((step) => ({ ...step, needs: step.needs.flatMap((id) => made.get(id) ?? [id]) })),
  };
}

function freeId(id: string, taken: Set<string>): string {
  const base = id.slice(0, 29);
  let number = 2;
  while (taken.has(`${base}${number}`)) number += 1;
  taken.add(`${base}${number}`);
  return `${base}${number}`;
}

function literal(step: Step, entry: string, id: string): Step {
  const { each: list = '', when, ...rest } = step;
  const isListed = `${JSON.stringify(entry)} in ${list}`;
  const args = withItem(step.args, list, entry);
  const { verify, ...named } = renameStep({ ...rest, args }, new Map([[step.id, id]]));
  return {
    ...named,
    id,
    when: when === undefined ? isListed : `${isListed} && (${when})`,
    ...(verify === undefined ? {} : { verify: { ...verify, args: withItem(verify.args, list, entry) } }),
    oneOf: list,
  };
}

/** Arguments about one entry; texts around it become one. */
function withItem(args: Step['args'], list: string, entry: string): Step['args'] {
  const isItem = (part: unknown): boolean => isRef(part) && part.ref === itemRef(list);
  const filled = (value: ArgValue): ArgValue => {
    if (isItem(value)) return entry;
    if (!Array.isArray(value)) return value;
    const parts: typeof value = [];
    for (const part of value.map((one) => (isItem(one) ? entry : one))) {
      const last = parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
    return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, filled(value)]));
}

/**
 * The plan before its lists were read: writes that were taken from one list, and differ in their entry alone, are one
 * write for each entry again. Those that a person has changed since stay as they are.
 */
export function collapsed<P extends Pick<Plan, 'steps'>>(
  plan: P,
  isWanted: (list: string) => boolean = () => true,
): P {
  const groups = Map.groupBy(plan.steps, ({ tool, oneOf }) =>
    oneOf && isWanted(oneOf) ? `${tool} ${oneOf}` : '',
  );
  const kept = new Map<string, Step>();
  const gone = new Map<string, string>();
  for (const [name, members] of groups) {
    const [first] = members;
    const whole = name === '' || first === undefined ? null : asOne(members, first);
    if (whole === null || first === undefined) continue;
    kept.set(first.id, whole);
    for (const { id } of members) gone.set(id, first.id);
  }
  const steps = plan.steps.flatMap((step): Step[] => {
    const needs = [...new Set(step.needs.map((id) => gone.get(id) ?? id))];
    if (!gone.has(step.id)) return [{ ...step, needs }];
    const whole = kept.get(step.id);
    return whole === undefined ? [] : [{ ...whole, needs }];
  });
  return { ...plan, steps };
}

function asOne(members: readonly Step[], first: Step): Step | null {
  const templates = members.map(template);
  const [one] = templates;
  const same = (step: Step): string =>
    JSON.stringify({ ...renameStep(step, new Map([[step.id, first.id]])), id: '', why: '', needs: [] });
  return one && templates.every((other) => other !== null && same(other) === same(one)) ? one : null;
}

/** The write for each entry that a write for one was made from; null if it is about another thing by now. */
function template(step: Step): Step | null {
  const { oneOf: list = '', when = '', ...rest } = step;
  const match = /^("(?:[^"\\]|\\.)*") in ([a-z][\w.]*)(?: && \(([\s\S]*)\))?$/.exec(when);
  if (match === null || match[2] !== list) return null;
  const entry: unknown = JSON.parse(match[1] ?? '""');
  if (typeof entry !== 'string' || !Object.values(rest.args).includes(entry)) return null;
  const around = match[3];
  return {
    ...rest,
    args: withoutItem(rest.args, list, entry),
    ...(around === undefined ? {} : { when: around }),
    ...(rest.verify === undefined
      ? {}
      : { verify: { ...rest.verify, args: withoutItem(rest.verify.args, list, entry) } }),
    each: list,
  };
}

function withoutItem(args: Step['args'], list: string, entry: string): Step['args'] {
  const item = { ref: itemRef(list) };
  const isPart = (character = ''): boolean => /[\p{L}\p{N}]/u.test(character);
  const parted = (text: string): (string | typeof item)[] => {
    const parts: (string | typeof item)[] = [];
    let from = 0;
    for (let at = text.indexOf(entry); at >= 0; at = text.indexOf(entry, at + 1)) {
      // OPS-1 is not meant in OPS-12.
      if (at < from || isPart(text[at - 1]) || isPart(text[at + entry.length])) continue;
      parts.push(text.slice(from, at), item);
      from = at + entry.length;
    }
    return [...parts, text.slice(from)].filter((part) => part !== '');
  };
  const value = (one: ArgValue): ArgValue => {
    if (one === entry) return item;
    if (typeof one === 'string') {
      const parts = parted(one);
      return parts.length > 1 ? parts : one;
    }
    return Array.isArray(one)
      ? one.flatMap((part) => (typeof part === 'string' ? parted(part) : [part]))
      : one;
  };
  return Object.fromEntries(Object.entries(args).map(([name, one]) => [name, value(one)]));
}
