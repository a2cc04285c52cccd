import { z } from 'zod';
import { freeText } from '../src/core/fields.ts';

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
export const saidRows = ['columns', 'row_total', 'row_total_least'] as const;
