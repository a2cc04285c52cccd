import { z } from 'zod';
import { freeText } from '../src/core/fields.ts';
import type { ArgWords } from '../src/core/manifest.ts';

/** Columns and rows that people are shown of what a query returns; its text has more. */
export const maxShownColumns = 12;
export const maxShownRows = 50;
export const maxShownCell = 200;

/** What every query returns for people's eyes: the columns are those of the query. */
export const queryRows = {
  columns: z.array(freeText(60, 'name of a column')).max(maxShownColumns).describe('names of the columns'),
  rows: z
    .array(z.object({ cells: z.array(freeText(maxShownCell, 'value')).max(maxShownColumns) }))
    .max(maxShownRows)
    .describe('first rows; empty where the answer is one number'),
  row_total: z.int().min(0).describe('rows that there are'),
  over: freeText(20, 'how far back it looked when the plan did not say, ISO 8601; else empty'),
  row_total_least: z.boolean().describe('true when there may be more rows than row_total'),
};

export const shownRows = {
  table: {
    rows: 'rows',
    total: 'row_total',
    least: 'row_total_least',
    columns: { names: 'columns', cells: 'cells' },
  },
} as const;

/** Result fields that the table says. */
export const saidRows = ['columns', 'over', 'row_total', 'row_total_least'] as const;

/** What a query that a person wrote came to: its one number, or how many rows it found. */
export function writtenOutcome(
  words: string,
  { total, rows }: { readonly total: number; readonly rows: readonly unknown[] },
): string {
  const unit = rows.length === 0 ? '' : total === 1 ? ' row' : ' rows';
  return `${words}: ${total.toLocaleString('en')}${unit}`;
}

/** With the time that a vetted query looks back by itself. */
export function withTime(args: ArgWords, over: string): ArgWords {
  return over === '' ? args : { ...args, window: over };
}
