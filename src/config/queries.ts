import { z } from 'zod';
import { levels } from '../core/manifest.ts';
import { parameterTypes, type QueryTemplate, queryLanguages } from '../core/queries/template.ts';
import { environmentName } from './patterns.ts';

const sourceName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,40}$/, 'must be lower case letters, digits and dashes');
const column = z.string().min(1).max(60);
const words = z.string().trim().min(2).max(60);
/** Read at the start and every hour; their names, types and comments are told to a model. */
const tableNames = (name: RegExp, describe: string) =>
  z
    .array(z.string().regex(name, 'must be the name of a table'))
    .max(200)
    .default([])
    .describe(`${describe} that a model which writes queries may know of`);

const parameter = z.strictObject({
  type: z
    .enum(parameterTypes)
    .describe(
      'service, word (no spaces), text, code (of an error), number, host, or status (503 or 5xx; its placeholders are {name_from} and {name_to})',
    ),
  default: z
    .union([z.string().max(200), z.number()])
    .optional()
    .describe('what it is when nothing is said of it'),
  describe: z.string().max(200).optional().describe('what it is, for people and models'),
  cues: z.array(words).max(20).default([]).describe('words right before its value, such as "of customer"'),
});

const query = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be lower case letters, digits and dashes')
    .describe('what plans call it'),
  language: z
    .enum(queryLanguages)
    .describe('kql: Azure Monitor; spl: Splunk; sql: a database; promql: Prometheus'),
  source: sourceName.optional().describe('the database or workspace; may be left out where there is one'),
  says: z.array(words).min(1).max(20).describe('what people call it, such as "failed requests"'),
  services: z.array(z.string()).default([]).describe('services that it knows; empty for all'),
  parameters: z
    .record(z.string().regex(/^[a-z][a-z_]{0,30}$/, 'must be lower case letters and _'), parameter)
    .default({}),
  window: z.iso.duration().default('PT1H').describe('how far back it looks when nothing is said, ISO 8601'),
  unit: z
    .string()
    .regex(/^[\p{L}%][\p{L}%/ ]{0,19}$/u, 'must be a unit such as s, ms, bytes, % or requests/s')
    .optional()
    .describe('promql: what its numbers are, such as s, ms, bytes, % or requests/s'),
  groups: z
    .array(z.string().regex(/^[\p{L}_][\p{L}\p{N}_]{0,39}$/u, 'must be the name of a column'))
    .max(10)
    .optional()
    .describe('columns by which its entries may be grouped: “errors by host”'),
  count: z.string().min(1).max(60).optional().describe('column whose sum is the number of entries'),
  code: z.string().min(1).max(60).optional().describe('column with error codes, most frequent first'),
  targets: z
    .strictObject({
      issue: column.optional().describe('column with ticket keys, listed as issues'),
      service: column.optional().describe('column with names of services, listed as services'),
      incident: column.optional().describe('column with ids of incidents, listed as incidents'),
    })
    .optional()
    .describe('columns with things for each of which a plan may write'),
  text: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe(
      'the query; {name} for a parameter, {from} and {to} for the time; promql: {window} for its length',
    ),
});

/** About what Postgres reads in half a minute; all are counted in the database, and 200 rows are taken. */
const bound = z.number().min(1).max(1e15).default(1_000_000);

/** Databases, log systems and their queries. */
export const queries = {
  databases: z
    .record(
      sourceName,
      z.strictObject({
        url: environmentName.describe(
          'environment variable with its address, postgres://… or mysql://…, of a role that cannot write',
        ),
        level: z
          .enum(levels)
          .default('confidential')
          .describe('level of what is in it; its rows are told only where that much may be told'),
        tables: tableNames(/^[\p{L}\p{N}_$.*-]{1,120}$/u, 'tables (orders, billing.orders; * for anything)'),
        max_cost: bound.describe(
          'cost by the database’s own estimate (EXPLAIN) over which a query is refused',
        ),
        max_rows: bound.describe('rows by that estimate over which a query is refused'),
      }),
    )
    .default({})
    .describe('databases that vetted queries read'),
  azure: z
    .strictObject({
      workspaces: z
        .record(sourceName, z.uuid('must be the id of a Log Analytics workspace'))
        .refine((all) => Object.keys(all).length > 0, 'must have a workspace')
        .describe('workspace ids by name'),
      tables: tableNames(/^[A-Za-z_]\w{0,80}$/, 'tables of the workspaces'),
    })
    .optional()
    .describe('Azure Monitor: Log Analytics workspaces by name'),
  splunk: z
    .strictObject({ indexes: tableNames(/^[a-z0-9_][a-z0-9_-]{0,80}$/, 'indexes') })
    .optional()
    .describe('Splunk: SPLUNK_URL and SPLUNK_TOKEN in .env; here is what a model may know of it'),
  queries: z.array(query).max(500).default([]).describe('vetted queries'),
  pasted_queries: z
    .array(z.enum(['kql', 'spl', 'sql']))
    .default([])
    .describe('languages in which people may run queries of their own; they only read, and are bounded'),
  written_queries: z
    .strictObject({
      languages: z
        .array(z.enum(['kql', 'spl', 'sql']))
        .default([])
        .describe('languages in which a model may write a query as a step of its plan; empty for none'),
      approval: z
        .enum(['ask', 'run'])
        .default('ask')
        .describe('ask: a plan with one waits for Approve, its query on the card; run: it runs at once'),
      unattended: z
        .boolean()
        .default(false)
        .describe('whether plans of schedules, watches, alerts and agents may have one'),
    })
    .prefault({})
    .describe('queries that a model writes; they only read, and are bounded'),
};

type QueryConfig = z.infer<typeof query>;

/** A query from the file as a template. `sources` are those of its language. */
export function templateOf(one: QueryConfig, sources: readonly string[]): QueryTemplate {
  const parameters = Object.entries(one.parameters).map(([name, { describe = name, cues, ...rest }]) => [
    name,
    { ...rest, describe, cues: cues.length === 0 ? [name.replaceAll('_', ' ')] : cues },
  ]);
  return { ...one, source: one.source ?? sources[0] ?? '', parameters: Object.fromEntries(parameters) };
}
