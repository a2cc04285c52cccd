import { z } from 'zod';
import { duration, freeText, target, time } from '../src/core/fields.ts';
import type { ArgWords } from '../src/core/manifest.ts';
import { thousands } from '../src/core/numbers.ts';
import type { QueryTarget } from '../src/core/queries/template.ts';
import { groupWords } from './group-words.ts';

/** Maximum columns and rows shown of a query's result; its text has more. */
export const maxShownColumns = 12;
export const maxShownRows = 50;
export const maxShownCell = 200;

/** The displayed part of every query's result: the columns are those of the query. */
export const queryRows = {
  columns: z.array(freeText(60, 'name of a column')).max(maxShownColumns).describe('names of the columns'),
  rows: z
    .array(z.object({ cells: z.array(freeText(maxShownCell, 'value')).max(maxShownColumns) }))
    .max(maxShownRows)
    .describe('first rows; empty where total says it all'),
  row_total: z.int().min(0).describe('rows that there are'),
  over: freeText(20, 'how far back it looked when the plan did not say, ISO 8601; else empty'),
  assumed: freeText(300, 'values that the query took by itself, and the zone of times; else empty'),
  row_total_least: z.boolean().describe('true when there may be more rows than row_total'),
};

/** The result of every query that counts or lists rows. */
export const queryResult = {
  total: z.int().describe('the number the query returns, rounded; else the number of rows'),
  lines: freeText(8_000, 'rows, one a line'),
  truncated: z.boolean().describe('true when there are more rows'),
  ran: freeText(80, 'query that was run'),
  ...queryRows,
};

/** The time that a query is about. */
export const queryTimes = {
  window: duration('duration before now').optional(),
  since: time('word, date or HH:MM').optional(),
  until: time('as since').optional(),
  during: time('day, week or month', { whole: true }).optional(),
};

const named = (kind: QueryTarget, describe: string) =>
  z.array(target(kind, describe)).describe(`${describe}s in the query’s own column`).optional();

/** The things that a vetted query names in the columns that it declares under targets. */
export const queryTargetLists = {
  issues: named('issue', 'issue key'),
  services: named('service', 'service name'),
  incidents: named('incident', 'incident id'),
};

/** Their words, around those for the query's rows. */
export function targetNouns(rows: (args: ArgWords) => string): Record<string, (args: ArgWords) => string> {
  const nouns = Object.keys(queryTargetLists).map((list) => [
    list,
    (args: ArgWords) => `the ${list} of ${rows(args)}`,
  ]);
  return Object.fromEntries(nouns);
}

export const shownRows = {
  tables: [
    {
      rows: 'rows',
      total: 'row_total',
      least: 'row_total_least',
      columns: { names: 'columns', cells: 'cells' },
    },
  ],
  besides: ['over', 'assumed', 'ran', 'issues', 'services', 'incidents'],
} as const;

/** Result fields that the table shows. */
export const saidRows = [
  'issues',
  'services',
  'incidents',
  'columns',
  'over',
  'assumed',
  'row_total',
  'row_total_least',
] as const;

interface Counted {
  readonly total: number;
  readonly rows: readonly { readonly cells: readonly string[] }[];
}

/** The outcome of a person's query: its only number, or the number of rows. */
export function writtenOutcome(words: string, result: Counted): string {
  const isNumber = result.rows.length === 0 || oneNumber(result) !== null;
  const unit = isNumber ? '' : result.total === 1 ? ' row' : ' rows';
  return `${words}: ${numberWords(result)}${unit}`;
}

/** The exact number a query returned; a whole one with thousands separators. */
export function numberWords(result: Counted): string {
  return oneNumber(result) ?? thousands(result.total);
}

/** The only number of an answer, which `total` merely rounds; null if there is none. */
function oneNumber({ rows: [first, second] }: Counted): string | null {
  const [cell = '', other] = first?.cells ?? [];
  return second === undefined && other === undefined && /^-?\d+(\.\d+)?$/.test(cell) ? cell : null;
}

/** The groups in place of its rows, in words. */
export const groupedWords = (by: string | undefined, { rows, row_total: total }: Grouped): string =>
  groupWords(by, { groups: rows, group_total: total });

interface Grouped {
  readonly rows: readonly { readonly cells: readonly string[] }[];
  readonly row_total: number;
}

/** Adds the default period of a vetted query. */
export function withTime(args: ArgWords, over: string): ArgWords {
  return over === '' ? args : { ...args, window: over };
}

const ofEveryQuery = new Set(
  'query named by database service about level window since until during'.split(' '),
);

/** Values of a vetted query's own parameters: “with host web-3 and status 5xx”. */
export function parameterWords(args: ArgWords): string {
  const own = Object.entries(args).filter(([name]) => !ofEveryQuery.has(name));
  const values = own.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`);
  return args.named === undefined || values.length === 0 ? '' : `with ${values.join(' and ')}`;
}

/** Assumed values, behind an outcome: " (assumed: service checkout)". */
export function assumedWords({ assumed = '' }: { readonly assumed?: string }): string {
  return assumed === '' ? '' : ` (assumed: ${assumed})`;
}
