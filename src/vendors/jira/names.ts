import { z } from 'zod';
import { cut, oneLine } from '../../core/clean-text.ts';
import { badAnswer } from '../http/no-answer.ts';

const allowedValue = z.object({
  /** Sprints and versions of some fields have numbers. */
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  name: z.string().nullish(),
  value: z.string().nullish(),
  disabled: z.boolean().nullish(),
});

/** Values that a field of Jira may have, as screens list them, without those that nobody may choose any more. */
export const allowedValues = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((values) =>
    (values ?? []).flatMap((value) => {
      const { data } = allowedValue.safeParse(value);
      return data === undefined || data.disabled === true ? [] : [data];
    }),
  );

/** Options of a select have a `value`, everything else a `name`. */
export function namesOf(values: z.infer<typeof allowedValues> | undefined): string[] {
  return (values ?? []).flatMap(({ name, value }) => name ?? value ?? []);
}

/** Maximum names in an error; a project may have hundreds of components. */
const maxListed = 12;

export function listed(names: readonly string[]): string {
  const rest = names.length > maxListed ? ` and ${names.length - maxListed} others` : '';
  return `${names.slice(0, maxListed).map(shown).join(', ')}${rest}`;
}

/** A name from data, formatted for a sentence. */
export function shown(name: string): string {
  return `“${cut(oneLine(name), 60)}”`;
}

export function same(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Parses an answer for the fields we read; throws a VendorError. */
export function readAs<S extends z.ZodType>(schema: S, answer: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw badAnswer('Jira', `${what} lacks a field`, { write: false, cause: parsed.error });
}

/** A list of an answer; Jira leaves out what is empty. Throws a VendorError for anything else. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw badAnswer('Jira', `${what} stands where a list should be`, { write: false });
}

/**
 * The elements of a list that have the fields that we read, and the others: an odd one must not stand in the way of the
 * rest. Throws a VendorError where there are only odd ones: that is not nothing.
 */
export function readEach<S extends z.ZodType>(
  schema: S,
  of: unknown,
  what: string,
): { read: z.infer<S>[]; odd: unknown[] } {
  const list = listOf(of, what);
  const odd = list.filter((one) => !schema.safeParse(one).success);
  if (odd.length > 0 && odd.length === list.length) readAs(schema, odd[0], what);
  const read = list.filter((one) => !odd.includes(one)).map((one) => readAs(schema, one, what));
  return { read, odd };
}
