import { z } from 'zod';
import { maxShownCell, maxShownColumns, maxShownRows, queryTargetLists } from '../manifests/query-rows.ts';
import { cut, cutWords, oneLine } from '../src/core/clean-text.ts';
import { CountersignError } from '../src/core/errors.ts';
import { thousands } from '../src/core/numbers.ts';
import type { QueryAnswer } from '../src/core/queries/answer.ts';
import type { BoundQuery } from '../src/core/queries/bind.ts';
import { type QueryTarget, queryTargets } from '../src/core/queries/template.ts';

type QueryTargets = { readonly [list in (typeof queryTargets)[QueryTarget]]?: string[] };

/** An answer, and the groups that stand in place of its rows. */
interface Asked {
  readonly answer: QueryAnswer;
  readonly groups: Partial<ReturnType<typeof shownRows>>;
}

/** The result of a query that counts or lists rows; its cells and words masked by `show`. */
export function queryResult(
  query: BoundQuery,
  { answer, groups }: Asked,
  show: (text: string) => string = String,
) {
  return {
    total: totalOf(answer, query),
    lines: show(rowLines(answer)),
    truncated: isCut(answer),
    ...shownRows(answer, show),
    ...groups,
    ...targetsIn(answer, query),
    over: query.over,
    assumed: show(query.assumed),
    ran: query.template?.name ?? 'a handwritten query',
  };
}

/** Maximum rows a tool requests. */
export const maxRows = 200;
const maxLines = 8_000;
const maxCell = 60;
const maxLastCell = 300;

/** Rows as aligned lines below their column names, followed by their number; none are said in words where they are used. */
export function rowLines({ columns, rows, total, exact }: QueryAnswer): string {
  if (rows.length === 0) return '';
  const cells = [columns, ...rows].map((row) =>
    row.map((cell, index) => cut(oneLine(cell), index === columns.length - 1 ? maxLastCell : maxCell)),
  );
  const widths = columns.map((_name, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const kept = firstLines(lines);
  const shown = kept.length - 1;
  if (shown === total && exact) return kept.join('\n');
  return [...kept, `${thousands(shown)} of ${exact ? '' : 'more than '}${thousands(total)} shown`].join('\n');
}

/** The rows as a table for people, masked by `show`. A single number that `total` already gives exactly needs none. */
export function shownRows(answer: QueryAnswer, show: (cell: string) => string = String) {
  const columns = answer.columns.slice(0, maxShownColumns).map((name) => cut(oneLine(name), 60));
  const cell = onlyCell(answer);
  const rows = cell !== null && cell === String(wholeNumber(cell)) ? [] : answer.rows.slice(0, maxShownRows);
  return {
    columns,
    rows: rows.map((row) => ({
      cells: row.slice(0, maxShownColumns).map((cell) => cutWords(show(oneLine(cell)), maxShownCell)),
    })),
    row_total: answer.total,
    row_total_least: !answer.exact,
  };
}

/** As many whole lines as fit. */
function firstLines(lines: readonly string[]): string[] {
  let room = maxLines - 60;
  const over = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  return over < 0 ? [...lines] : lines.slice(0, over);
}

/** The number an answer stands for: its only number, the sum of the column that the query declares, or the number of rows. */
export function totalOf({ columns, rows, total, exact }: QueryAnswer, { template }: BoundQuery): number {
  const declared = template?.count === undefined ? -1 : columns.indexOf(template.count);
  if (declared >= 0 && exact && total <= rows.length) {
    return rows.reduce((sum, row) => sum + wholeNumber(row[declared] ?? ''), 0);
  }
  const cell = onlyCell({ columns, rows, total });
  return cell !== null && /^-?\d+(\.\d+)?$/.test(cell) ? wholeNumber(cell) : total;
}

function onlyCell({ columns, rows, total }: Pick<QueryAnswer, 'columns' | 'rows' | 'total'>): string | null {
  return total === 1 && columns.length === 1 ? (rows[0]?.[0] ?? null) : null;
}

/** The nearest integer, for use in conditions; 0 for words. */
function wholeNumber(cell: string): number {
  const value = Math.round(Number(cell)) || 0;
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** The first non-empty value of the code column, if the query declares one. */
export function topCode({ columns, rows }: QueryAnswer, { template }: BoundQuery): string {
  const index = template?.code === undefined ? -1 : columns.indexOf(template.code);
  const found = index < 0 ? undefined : rows.map((row) => row[index] ?? '').find((cell) => cell !== '');
  return cut(oneLine(found ?? ''), 200);
}

/** The things that the query declares a column for, each once. Throws where one is no such thing: nothing is left out. */
export function targetsIn({ columns, rows }: QueryAnswer, { template }: BoundQuery): QueryTargets {
  const found = Object.entries(template?.targets ?? {}).map(([kind, column]) => {
    const list = queryTargets[kind as QueryTarget];
    const at = columns.indexOf(column ?? '');
    if (at < 0) throw unfit(`has no column ${column}, which its targets name`);
    const values = [...new Set(rows.map((row) => row[at] ?? '').filter((cell) => cell !== ''))];
    const parsed = z.safeParse(queryTargetLists[list], values);
    if (!parsed.success)
      throw unfit(`has a value in ${column} that ${parsed.error.issues[0]?.message ?? 'does not fit'}`);
    return [list, values] as const;
  });
  return Object.fromEntries(found);
}

function unfit(why: string): CountersignError {
  return new CountersignError('bad_result', `The query ${why}. Its entry in countersign.yml has to fit it.`);
}

/** Whether the displayed rows are incomplete. */
function isCut({ rows, total, exact }: QueryAnswer): boolean {
  return !exact || total > rows.length;
}
