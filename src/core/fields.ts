import { z } from 'zod';
import { spanOf } from './calendar/span.ts';
import { durationMs } from './duration.ts';

/** The kinds of things a write can target. Targets come from literals or id-typed results, never from free text. */
export const targetKinds = [
  'service',
  'project',
  'issue',
  'incident',
  'channel',
  'user',
  'transition',
  'severity',
  'space',
] as const;
export type TargetKind = (typeof targetKinds)[number];

/**
 * How a field may be filled and used.
 * - `target`: names a thing; literal or id-typed reference of the same kind.
 * - `text`: words for a body or a search; inert; may be built from literal and reference parts.
 * - `value`: number, boolean or a bounded word; literal or reference of the same type; usable in conditions.
 * - `input`: data for a code step; a literal or a reference to any result.
 */
export type FieldKind = 'target' | 'text' | 'value' | 'input';

export interface FieldInfo {
  readonly kind: FieldKind;
  readonly target?: TargetKind;
  /** A text that holds an address people can open. */
  readonly address?: true;
  /** A text that is a time: `whole` for a day, week or month with a start and an end, `length` for a duration. */
  readonly time?: 'any' | 'whole' | 'length';
  /** A time that may be to come. */
  readonly ahead?: boolean;
  /** A number that must not be an estimate. */
  readonly exact?: true;
}

const registry = z.registry<FieldInfo>();

const targetPatterns: Record<TargetKind, { pattern: RegExp; hint: string }> = {
  service: { pattern: /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u, hint: 'a service name such as payments-api' },
  project: { pattern: /^[A-Z][A-Z0-9_]{1,19}$/, hint: 'a Jira project key such as OPS' },
  issue: { pattern: /^[A-Z][A-Z0-9_]+-\d{1,9}$/, hint: 'a Jira issue key such as OPS-12' },
  incident: {
    pattern: /^(?:#?\d{1,10}|[A-Za-z0-9][\w.:-]{0,254}|https:\/\/[\w.-]+(?::\d+)?\/incidents\/\w{1,32}\/?)$/,
    hint: 'a PagerDuty incident by its number, id, key or address, by its service, or thread for the one of this thread',
  },
  channel: { pattern: /^#?[\p{L}\p{N}_.-]{1,80}$/u, hint: 'a channel such as #ops' },
  user: { pattern: /^@?[\p{L}\p{N}_.-]{1,80}$/u, hint: 'a person such as @ana' },
  transition: { pattern: /^[\p{L}\p{N}][\p{L}\p{N} '/_-]{0,59}$/u, hint: 'a status such as Done' },
  severity: { pattern: /^P[1-5]$/, hint: 'a priority P1 to P5' },
  space: { pattern: /^~?[A-Za-z0-9_.-]{1,100}$/, hint: 'the key of a Confluence space such as OPS' },
};

/** An argument or result that names a thing of `kind`. */
export function target(kind: TargetKind, describe: string): z.ZodString {
  const { pattern, hint } = targetPatterns[kind];
  const schema = z.string().regex(pattern, `must be ${hint}`).describe(describe);
  registry.add(schema, { kind: 'target', target: kind });
  return schema;
}

/** Free text of at most `max` characters. */
export function text(max: number, describe: string): z.ZodString {
  const schema = z.string().min(1).max(max).describe(describe);
  registry.add(schema, { kind: 'text' });
  return schema;
}

/** A time valid in one year is valid in every other, except for 29 February. */
const anyDay = { now: new Date('2024-03-05T12:00:00Z'), zone: 'UTC', aim: 'past' } as const;

/**
 * A time in calendar words, or as a date or clock time. `whole`: a day, week or month with a start and an end. `or`:
 * extra words that stand for a time, such as `next`. `ahead`: it may be to come.
 */
export function time(
  describe: string,
  {
    whole = false,
    or = [],
    ahead = false,
  }: { whole?: boolean; or?: readonly string[]; ahead?: boolean } = {},
): z.ZodString {
  const isTime = (words: string): boolean => {
    const span = spanOf(words, anyDay);
    return or.includes(words.trim().toLowerCase()) || (span !== null && (!whole || span.from < span.to));
  };
  const examples = whole
    ? 'a day, week or month such as yesterday, last week or 2026-03-10'
    : 'a time such as 14:30, yesterday, last week or 2026-03-10';
  const schema = z.string().max(100).refine(isTime, `must be ${examples}`).describe(describe);
  registry.add(schema, { kind: 'text', time: whole ? 'whole' : 'any', ahead });
  return schema;
}

/** How long: an ISO 8601 duration, or a number with its unit. */
export function duration(describe: string): z.ZodString {
  const isLength = (said: string): boolean => (durationMs(said) ?? 0) > 0;
  const schema = z
    .string()
    .max(20)
    .refine(isLength, 'must be a duration such as 30m, 2h, 7d or PT30M')
    .describe(describe);
  registry.add(schema, { kind: 'text', time: 'length' });
  return schema;
}

/** A number that is computed with: an estimate, or a bound, is none. */
export function exactNumber(describe: string): z.ZodNumber {
  const schema = z.number().describe(describe);
  registry.add(schema, { kind: 'value', exact: true });
  return schema;
}

/** Free text inside a result, possibly empty. */
export function freeText(max: number, describe: string): z.ZodString {
  const schema = z.string().max(max).describe(describe);
  registry.add(schema, { kind: 'text' });
  return schema;
}

/**
 * An address where people find a thing, as its vendor gives it; empty when there is none. Becomes a link only for known
 * hosts.
 */
export function address(describe: string): z.ZodString {
  const schema = z.string().max(3_000).describe(describe);
  registry.add(schema, { kind: 'text', address: true });
  return schema;
}

/** An argument of a code step: the function gets the value as it is. */
export function codeInput(): z.ZodUnknown {
  const schema = z.unknown();
  registry.add(schema, { kind: 'input' });
  return schema;
}

/** The schema below optional, nullable, default and similar wrappers. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let current = schema;
  while (
    current instanceof z.ZodOptional ||
    current instanceof z.ZodNullable ||
    current instanceof z.ZodDefault ||
    current instanceof z.ZodReadonly
  ) {
    current = current.unwrap();
  }
  return current;
}

/** Zod makes a new object for each question. */
const kinds = new WeakMap<z.core.$ZodType, FieldInfo>();

/** Kind of a field; anything not declared a target or text is a plain value. Lists take the kind of their items. */
export function fieldInfo(schema: z.core.$ZodType): FieldInfo {
  const known = kinds.get(schema);
  if (known !== undefined) return known;
  const inner = unwrap(schema);
  const ofItems = inner instanceof z.ZodArray ? fieldInfo(inner.element) : { kind: 'value' as const };
  const info = registry.get(inner) ?? ofItems;
  kinds.set(schema, info);
  return info;
}

/** True when the field may be left out. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success;
}
