import { z } from 'zod';
import { celType } from '../core/cel.ts';
import { target, text } from '../core/fields.ts';
import type { ArgWords, Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { groupsOf } from '../core/queries/bind.ts';
import type { ListedTables } from '../core/queries/tables.ts';
import type { QueryLanguage, QueryParameter, QueryTemplate } from '../core/queries/template.ts';
import type { OperatorConfig } from './schema.ts';

/**
 * Adds the operator's queries to the manifest of a tool that takes them: `named` selects one by the words people use,
 * and their parameters become arguments.
 */
export function declareQueries(manifest: Manifest, templates: readonly QueryTemplate[]): Manifest {
  const ownQueries = templates.filter(({ language }) => language === manifest.queries);
  const [first, ...rest] = ownQueries.map(({ name }) => name);
  if (first === undefined) return manifest;
  const named = z
    .enum([first, ...rest])
    .describe(`a vetted query: ${ownQueries.map(lineFor).join('; ')}`)
    .optional();
  const added = addedParameters(manifest, ownQueries);
  const shapes = added.map(([name, parameter]) => [name, schemaFor(parameter).optional()]);
  const by = byArgument(ownQueries);
  const args = manifest.args.extend({ named, ...by, ...Object.fromEntries(shapes) }).strict();
  const units = Object.fromEntries(
    ownQueries.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
  );
  if (Object.keys(units).length === 0) return { ...manifest, args };
  return { ...manifest, args, units, nouns: inUnits(manifest, units) };
}

function byArgument(own: readonly QueryTemplate[]): { by?: z.ZodType } {
  const [first, ...rest] = new Set(own.flatMap(groupsOf));
  return first === undefined
    ? {}
    : {
        by: z
          .enum([first, ...rest])
          .describe('group by it')
          .optional(),
      };
}

/** "the latency of checkout (s)": a bound on the card says what it counts. */
function inUnits({ nouns, result }: Manifest, units: Readonly<Record<string, string>>): Manifest['nouns'] {
  const words = Object.entries(nouns).map(([field, noun]) => {
    if (celType(result.shape[field] ?? z.never()) !== 'double') return [field, noun];
    const said = (args: ArgWords): string => {
      const unit = own(units, args.named ?? '');
      return unit === undefined ? noun(args) : `${noun(args)} (${unit})`;
    };
    return [field, said];
  });
  return Object.fromEntries(words);
}

function lineFor({ name, says, parameters }: QueryTemplate): string {
  const takes = Object.keys(parameters);
  return `${name} = ${says.join(', ')}${takes.length === 0 ? '' : ` (takes ${takes.join(', ')})`}`;
}

/** Parameters that are not already arguments of the tool. */
function addedParameters(manifest: Manifest, own: readonly QueryTemplate[]): [string, QueryParameter][] {
  const all = own.flatMap(({ parameters }) => Object.entries(parameters));
  return [...new Map(all.filter(([name]) => !Object.hasOwn(manifest.args.shape, name)))];
}

function schemaFor({ type, describe }: QueryParameter): z.ZodType {
  switch (type) {
    case 'service':
      return target('service', describe);
    case 'number':
      return z.number().min(-1e15).max(1e15).describe(describe);
    case 'status':
      return z
        .string()
        .regex(/^[1-5](?:xx|\d\d)$/, 'must be a status code such as 503 or 5xx')
        .describe(describe);
    case 'word':
    case 'host':
      return z
        .string()
        .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:@/-]{0,119}$/u, 'must be one word')
        .describe(describe);
    default:
      return text(200, describe);
  }
}

type WrittenLanguage = OperatorConfig['written_queries']['languages'][number];

/** Missing settings of a source, in words; null when it can be used. */
type MissingSources = Readonly<Record<'sql' | 'azure' | 'splunk', string | null>>;

/** The languages in which a model may write queries, of those with a source. */
export function writable(
  { written_queries: { languages } }: OperatorConfig,
  missing: MissingSources,
): WrittenLanguage[] {
  const sources = { sql: missing.sql, kql: missing.azure, spl: missing.splunk };
  return languages.filter((one) => sources[one] === null);
}

/** The manifest of a tool for a model's queries takes the languages that the operator allows. */
export function withLanguages(manifest: Manifest, languages: readonly QueryLanguage[]): Manifest {
  if (manifest.written === undefined) return manifest;
  const language = z.enum(languages).describe('language it is written in');
  return { ...manifest, args: manifest.args.extend({ language }).strict() };
}

/** The tables that the operator lists of each source, where a model may write queries for it. */
export function listedTables(
  config: OperatorConfig,
  missing: MissingSources,
): (ListedTables & { readonly language: WrittenLanguage })[] {
  const { databases, azure, splunk } = config;
  const all = {
    sql: Object.entries(databases).map(([source, { tables }]) => ({ source, names: tables })),
    kql: Object.keys(azure?.workspaces ?? {}).map((source) => ({ source, names: azure?.tables ?? [] })),
    spl: [{ source: 'splunk', names: splunk?.indexes ?? [] }],
  };
  return writable(config, missing).flatMap((language) =>
    all[language].flatMap((one) => (one.names.length === 0 ? [] : { language, ...one })),
  );
}
