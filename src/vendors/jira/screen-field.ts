import { z } from 'zod';
import type { JiraAccount } from './accounts.ts';
import { documentOf } from './adf.ts';
import { ArgumentError, needed } from './argument-error.ts';
import { allowedValues, listed, namesOf, same, shown } from './names.ts';

/** A field on a create screen or a transition's screen. */
export const screenField = z.object({
  name: z.string().nullish(),
  required: z.boolean().nullish(),
  hasDefaultValue: z.boolean().nullish(),
  schema: z
    .object({
      type: z.string(),
      items: z.string().nullish(),
      custom: z.string().nullish(),
      system: z.string().nullish(),
    })
    .nullish()
    .catch(null),
  allowedValues,
});
export type ScreenField = z.infer<typeof screenField> & { readonly name: string };

/** Fields without an argument of their own, by name as typed: `Root cause: deploy`, one per line. */
export type OtherFields = ReadonlyMap<string, string>;

export function readFields(said: string | undefined): OtherFields {
  const lines = (said ?? '').split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
      if (name !== '' && name.length <= 200 && value !== '') return [name.toLowerCase(), value];
      const message = `The argument fields has ${shown(line)}; each line is the name of a field, a colon and its value.`;
      throw new ArgumentError('bad_field', message);
    }),
  );
}

export interface Screen {
  /** By Jira's ids. */
  readonly fields: Readonly<Record<string, ScreenField>>;
  /** "PAY needs “Root cause” for “Incident”." */
  needs(name: string): string;
  /** The account named in a field. */
  person(name: string, field: string): Promise<JiraAccount>;
}

/** The first required field of the screen without a value; undefined when nothing is missing. */
export function missingField(
  { fields }: Screen,
  said: OtherFields,
  given: ReadonlySet<string>,
): [id: string, field: ScreenField] | undefined {
  return Object.entries(fields).find(
    ([id, { name, required, hasDefaultValue }]) =>
      required === true && hasDefaultValue !== true && !given.has(id) && !said.has(name.toLowerCase()),
  );
}

/** Asks for a field by throwing: a question if people can answer it here, else what to do in Jira. */
export function askFor(screen: Screen, field: ScreenField, arg?: string): never {
  const { name } = field;
  const choices = namesOf(field.allowedValues);
  const needs = screen.needs(shown(name));
  const kind = expected(field);
  if (arg === undefined && kind === null) {
    const message = `${needs} The bot cannot fill in ${shown(name)}; do it in Jira, or make the field optional.`;
    throw new ArgumentError('field_missing', message);
  }
  const help = choices.length > 0 ? `: ${listed(choices)}` : '';
  const how = arg === undefined ? `a line “${name}: …” in the argument fields` : `the argument ${arg}`;
  throw needed('field_missing', `${needs} Say it with ${how}${help}.`, {
    ...(arg === undefined ? { arg: 'fields', item: name } : { arg }),
    question: `${needs} ${choices.length > 0 ? 'Which one?' : `What is it?${kind === null ? '' : ` (${kind})`}`}`,
    choices,
  });
}

/** The given field values in Jira's format. */
export async function otherFields(screen: Screen, said: OtherFields): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of said) {
    const [id, field] = Object.entries(screen.fields).find(([, one]) => same(one.name, name)) ?? [];
    if (id === undefined || field === undefined) {
      const names = Object.values(screen.fields).map((one) => one.name);
      const message = `The argument fields names ${shown(name)}, which this screen of Jira does not have; it has ${listed(names)}.`;
      throw new ArgumentError('field_unknown', message);
    }
    const known = await fieldValue(field, value, screen);
    if (known === null) throw wrongValue(field, value);
    values[id] = known;
  }
  return values;
}

function wrongValue(field: ScreenField, value: string): Error {
  const { name } = field;
  const choices = namesOf(field.allowedValues);
  const can =
    choices.length > 0 ? `only be ${listed(choices)}` : `be ${expected(field) ?? 'set in Jira alone'}`;
  const message = `${shown(name)} is ${shown(value)}, but it can ${can}.`;
  return needed('field_value', message, {
    ...{ arg: 'fields', item: name, choices },
    question: `${message} What should it be?`,
  });
}

const day = /^\d{4}-\d\d-\d\d$/;

/** The kind of value people may give for a field, in words; null if the bot cannot set such a field. */
function expected({ schema, allowedValues: values }: ScreenField): string | null {
  if (namesOf(values).length > 0) return 'one of the values';
  const words: Readonly<Record<string, string>> = {
    string: 'a few words',
    number: 'a number',
    date: 'a date such as 2026-11-22',
    datetime: 'a time such as 2026-11-22T10:00Z',
    user: 'the name of a person',
    'array of string': 'words without spaces, with commas between them',
  };
  return words[kindOf(schema)] ?? null;
}

function kindOf(schema: ScreenField['schema']): string {
  return schema?.type === 'array' ? `array of ${schema.items ?? ''}` : (schema?.type ?? '');
}

/** Null when the value does not fit the field. */
async function fieldValue(field: ScreenField, said: string, screen: Screen): Promise<unknown> {
  const { schema, allowedValues: values } = field;
  if (namesOf(values).length > 0) {
    const id = values?.find(({ name, value }) => same(name ?? value ?? '', said))?.id;
    if (id === undefined || id === null) return null;
    return schema?.type === 'array' ? [{ id }] : { id };
  }
  switch (kindOf(schema)) {
    case 'string':
      return isDocument(schema) ? documentOf(said) : said;
    case 'number':
      return Number.isFinite(Number(said)) ? Number(said) : null;
    case 'date':
      return day.test(said) && !Number.isNaN(Date.parse(said)) ? said : null;
    case 'datetime':
      return Number.isNaN(Date.parse(said)) ? null : new Date(said).toISOString().replace('Z', '+0000');
    case 'user':
      return { accountId: (await screen.person(said, field.name)).accountId };
    case 'array of string':
      return said.split(',').map((word) => word.trim());
    default:
      return null;
  }
}

/** Multi-line fields take documents. */
function isDocument(schema: ScreenField['schema']): boolean {
  return /:textarea$/.test(schema?.custom ?? '') || /^(description|environment)$/.test(schema?.system ?? '');
}
