import { z } from 'zod';
import { cut, oneLine } from '../../core/inert.ts';
import { badAnswer } from '../http/no-answer.ts';

/** Values that a field of Jira may have, as screens list them. */
export const allowedValues = z
  .array(z.object({ id: z.string().nullish(), name: z.string().nullish(), value: z.string().nullish() }))
  .nullish();

/** Options of a select have a `value`, everything else a `name`. */
export function namesOf(values: z.infer<typeof allowedValues>): string[] {
  return (values ?? []).flatMap(({ name, value }) => name ?? value ?? []);
}

/** Names in an error; a project may have hundreds of components. */
const maxListed = 12;

export function listed(names: readonly string[]): string {
  const rest = names.length > maxListed ? ` and ${names.length - maxListed} others` : '';
  return `${names.slice(0, maxListed).map(shown).join(', ')}${rest}`;
}

/** A name out of data, inside a sentence. */
export function shown(name: string): string {
  return `“${cut(oneLine(name), 60)}”`;
}

export function same(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** An answer with the fields that we read; throws a VendorError. */
export function readAs<S extends z.ZodType>(schema: S, answer: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw badAnswer('Jira', `${what} lacks a field`, { write: false, cause: parsed.error });
}
