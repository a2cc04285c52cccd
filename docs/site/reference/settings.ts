import { z } from 'zod';
import { envSchema } from '../../../src/config/env-schema.ts';
import { operatorSchema } from '../../../src/config/schema.ts';
import { fileSchema, workspaceSchema } from '../../../src/config/workspaces.ts';
import { code, page, table } from './markdown.ts';

/** As much of a JSON Schema as a setting needs. */
interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
}

/** Every setting of `countersign.yml`, a table for each of its sections. */
export function settingsPage(): string {
  const schema = toSchema(operatorSchema);
  const sections = Object.entries(schema.properties ?? {}).map(([name, section]) => {
    const rows = [...settings(name, section, false)];
    return `## ${name}\n\n${table(['setting', 'meaning'], rows)}`;
  });
  return page(
    'Settings: countersign.yml',
    '`<name>` stands for a name of yours, `[]` for each one of a list. `npm run -s cli -- config check` shows by line what a start would refuse or warn about.',
    ...sections,
    `## workspaces\n\n${table(['setting', 'meaning'], workspaceRows())}`,
  );
}

/** The sections of a workspace are those of the file. */
function workspaceRows(): string[][] {
  const { workspaces } = toSchema(fileSchema).properties ?? {};
  const own = Object.keys(workspaceSchema.shape).map((name) => [
    code(`workspaces.<id>.${name}`),
    `As ${code(name)} above, for this workspace.`,
  ]);
  return [[code('workspaces'), sentences(workspaces?.description ?? '')], ...own];
}

/** Every setting of the environment. */
export function environmentPage(): string {
  const schema = toSchema(envSchema);
  const rows = Object.entries(schema.properties ?? {}).map(([name, setting]) => [
    code(name),
    sentences(setting.description ?? '', withoutIt(setting, schema.required?.includes(name) === true)),
  ]);
  return page(
    'Settings: the environment',
    '`.env`, or the environment of the process. An empty value counts as not set. `countersign.yml` names further variables, which hold keys: `routing_key`, `token`, `url` of a database.',
    table(['variable', 'meaning'], rows),
  );
}

function toSchema(schema: z.ZodType): Schema {
  return schemaOf.parse(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }));
}

const schemaOf: z.ZodType<Schema> = z.custom<Schema>((value) => typeof value === 'object' && value !== null);

/** The rows of a setting and of all that lies below it. */
function* settings(path: string, schema: Schema, isNeeded: boolean): Generator<string[]> {
  const below = [...parts(path, schema)];
  const needed = below.length > 0 ? '' : withoutIt(schema, isNeeded);
  if (below.length === 0 || schema.description !== undefined)
    yield [code(path), sentences(schema.description ?? '', kindOf(schema), needed)];
  for (const [inner, one, must] of below) yield* settings(inner, one, must);
}

function* parts(path: string, schema: Schema): Generator<[path: string, schema: Schema, isNeeded: boolean]> {
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${name}`, one, schema.required?.includes(name) === true];
  }
  const named = schema.additionalProperties;
  if (typeof named === 'object' && hasParts(named)) yield [`${path}.${nameOf(schema)}`, named, false];
  if (schema.items !== undefined && hasParts(schema.items)) yield [`${path}[]`, schema.items, false];
}

function hasParts({ properties, additionalProperties, items }: Schema): boolean {
  return properties !== undefined || typeof additionalProperties === 'object' || items !== undefined;
}

function nameOf({ propertyNames }: Schema): string {
  return propertyNames?.enum === undefined ? '<name>' : `<${propertyNames.enum.join(', ')}>`;
}

function sentences(...parts: readonly string[]): string {
  const said = parts.filter((part) => part !== '').map((part) => (part.endsWith('.') ? part : `${part}.`));
  return said.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' ');
}

/** What may be written there, where it is not plain text. */
function kindOf(schema: Schema): string {
  if (schema.enum !== undefined) return `one of ${choices(schema)}`;
  if (schema.items !== undefined) return schema.items.enum ? `a list of ${choices(schema.items)}` : 'a list';
  if (schema.type === 'boolean') return '`true` or `false`';
  if (schema.type === 'integer' || schema.type === 'number') return range(schema);
  return '';
}

function choices({ enum: values = [] }: Schema): string {
  return values.map((one) => code(String(one))).join(', ');
}

function range({ minimum = 0, maximum }: Schema): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${minimum} to ${maximum}` : `${minimum} or more`;
}

function withoutIt(schema: Schema, isNeeded: boolean): string {
  if (isNeeded) return '**Must be set**';
  const value = schema.default;
  if (value === undefined || (typeof value === 'object' && !Array.isArray(value))) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : `without it ${code(value.join(', '))}`;
  return `without it ${code(String(value))}`;
}
