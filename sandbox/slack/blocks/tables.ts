import { type Fields, isFields } from '../fields.ts';
import { base } from './composition.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  choice,
  type Findings,
  flag,
  list,
  may,
  need,
  number,
  object,
  type Rule,
  string,
} from './rules.ts';

const raw: Readonly<Record<string, Rule>> = {
  raw_text: object({ type: need(string()), text: need(string({ min: 1 })) }),
  raw_number: object({ type: need(string()), value: need(number()), text: may(string({ min: 1 })) }),
};
const cell = byType(() => ({ ...raw, rich_text: richText }));
const headCell = byType(() => raw);
const columns = { min: 1, max: 20 };

export const table: Rule = object({
  ...base,
  rows: need(list(list(cell, columns), { min: 1, max: 100 })),
  column_settings: may(
    list(object({ align: may(choice('left', 'center', 'right')), is_wrapped: may(flag) }), { max: 20 }),
  ),
});

export const dataTable: Rule = object(
  {
    ...base,
    rows: need(list(list(cell, columns), { min: 2, max: 101 })),
    caption: need(string({ min: 1 })),
    page_size: may(number({ min: 1, max: 100 })),
    row_header_column_index: may(number({ min: 0 })),
  },
  ({ rows }, at, findings) => {
    const [head, ...body] = Array.isArray(rows) ? rows.filter(Array.isArray) : [];
    if (head === undefined) return;
    list(headCell)(head, `${at}/rows/0`, findings);
    const uneven = body.findIndex((row) => row.length !== head.length);
    if (uneven !== -1) findings.add(`${at}/rows/${uneven + 1}`, `must provide exactly ${head.length} items`);
  },
);

/** Maximum characters in the cells of all tables of a message. */
const maxCells = 10_000;

/** A message may have one `table`, and its tables of both kinds share one text limit. */
export function inspectTables(blocks: unknown, at: string, findings: Findings): void {
  const all = Array.isArray(blocks) ? blocks.filter(isFields) : [];
  const plain = all.flatMap((block, index) => (block.type === 'table' ? [index] : []));
  for (const index of plain.slice(1)) findings.add(`${at}/${index}`, 'only one table allowed');
  const tables = all.filter(({ type }) => type === 'table' || type === 'data_table');
  if (tables.reduce((sum, { rows }) => sum + textLength(rows), 0) > maxCells) {
    findings.add(at, `must be less than ${maxCells + 1} characters in all table cells`);
  }
}

/** The visible content of cells: the text of each, and numbers as written. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textLength(one), 0);
  if (!isFields(value)) return 0;
  return own(value) + textLength(value.elements);
}

function own({ text, value }: Fields): number {
  if (typeof text === 'string') return text.length;
  return typeof value === 'number' ? String(value).length : 0;
}
