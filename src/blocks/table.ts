import type { DataTableBlock, RichTextElement } from '@slack/types';
import { type LinkHosts, mayLink } from '../core/address.ts';
import { cutWords, oneLine } from '../core/clean-text.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { thousands } from '../core/numbers.ts';
import { own } from '../core/own-property.ts';
import type { Column, Table } from '../core/shows.ts';
import { clean } from './escape.ts';
import { limits } from './limits.ts';
import type { ShownResult } from './links.ts';
import type { Block } from './message.ts';
import { bullets, line, link, rich, type Span, time } from './rich.ts';

/** Maximum characters of one cell. */
const maxCell = 90;
/** Maximum characters of a cell in an undeclared column, such as the text of a log entry. */
const maxFreeCell = 200;
/** Rows per page: as many as fit on a phone. */
const pageSize = 10;
const nothing = '–';

type Cell = DataTableBlock['rows'][number][number];
/** A number sorts numerically but is shown as given: 0.10. */
type Value = Span | { readonly number: number; readonly text: string };

/** A displayed list: Slack's own table, and a plain list for where Slack rejects tables. */
export interface ShownTable {
  readonly table: Block;
  readonly list: Block;
  /** "20 of 1,047 shown", for the table and for the list; null when nothing is missing. */
  readonly ofTable: string | null;
  readonly ofList: string | null;
}

/** The list in a result, as much as fits into `room` characters of JSON; null if there is none or it is empty. */
export function shownTable(
  { manifest, result, hosts }: ShownResult,
  { caption, room }: { readonly caption: string; readonly room: number },
): ShownTable | null {
  const declared = manifest.shows?.tables?.find((one) => recordsIn(own(result, one.rows)).length > 0);
  if (declared === undefined) return null;
  const rows = recordsIn(own(result, declared.rows));
  const { columns } = declared;
  const isFixed = 'length' in columns;
  const names = isFixed ? columns.map(({ title }) => title) : textsIn(own(result, columns.names));
  const cells = rows.map((row) =>
    isFixed
      ? columns.map((column) => spanFor(row, column, hosts))
      : names.map((_name, index) => freeCell(textsIn(own(row, columns.cells))[index] ?? '')),
  );
  const body = fitting(cells.map((row) => row.map(cellOf)).slice(0, limits.tableRows - 1), room, textOf);
  const items = fitting(
    cells.map((row) => itemOf(row, names)),
    room,
  );
  const header = names.map((name) => ({ type: 'raw_text' as const, text: clean(oneLine(name)) || nothing }));
  return {
    table: {
      type: 'data_table',
      caption: cutWords(oneLine(caption), limits.header),
      rows: [header, ...body],
      page_size: pageSize,
    },
    list: rich([bullets(items)]),
    ofTable: shownOf(body.length, rows.length, result, declared),
    ofList: shownOf(items.length, rows.length, result, declared),
  };
}

/** "20 of 1,047 shown"; null when nothing is missing. */
function shownOf(shown: number, given: number, result: JsonObject, declared: Table): string | null {
  const total = Math.max(totalIn(result, declared), given);
  const isLeast = declared.least !== undefined && own(result, declared.least) === true;
  if (shown >= total && !isLeast) return null;
  return `${shown} of ${isLeast ? 'more than ' : ''}${thousands(total)} shown`;
}

function recordsIn(value: Json | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((row) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? [row] : [],
  );
}

function totalIn(result: JsonObject, { total }: Table): number {
  const value = total === undefined ? undefined : own(result, total);
  return typeof value === 'number' ? value : 0;
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(wordsFor) : [];
}

const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** A cell of an undeclared column: anything that looks like a number or a time is shown as one. */
function freeCell(value: string): Value {
  if (number.test(value)) return { number: Number(value), text: value };
  if (moment.test(value) && !Number.isNaN(Date.parse(value))) return time(value);
  return clean(cutWords(oneLine(value), maxFreeCell)) || nothing;
}

/** A value for a cell or line: a number, or a piece of text with a possible link. */
function spanFor(row: JsonObject, { field, link: to, as }: Column, hosts: LinkHosts): Value {
  const value = own(row, field);
  if (typeof value === 'number') return { number: value, text: String(value) };
  const text = cutWords(oneLine(wordsFor(value)), maxCell) || nothing;
  if (as === 'time' && !Number.isNaN(Date.parse(text))) return time(text);
  const url = to === undefined ? undefined : own(row, to);
  return typeof url === 'string' && mayLink(url, hosts) && text !== nothing ? link(url, text) : clean(text);
}

function wordsFor(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map(wordsFor).join(', ') : String(value);
}

function isNumber(value: Value): value is Exclude<Value, Span> {
  return typeof value === 'object' && 'number' in value;
}

function cellOf(span: Value): Cell {
  if (isNumber(span)) return { type: 'raw_number', value: span.number, text: span.text };
  return typeof span === 'string' ? { type: 'raw_text', text: span } : rich([line(span)]);
}

/** "OPS-12 · Checkout is slow · votes: 3": a row as a list item. Leaves out empty values; a bare number says what it counts. */
function itemOf(spans: readonly Value[], names: readonly string[]) {
  const said = spans.flatMap((span, nth): Span[][] => {
    const value = isNumber(span) ? span.text : span;
    const name = oneLine(names[nth] ?? '');
    if (value === nothing) return [];
    return [spans.length > 1 && name !== '' && isQuantity(value) ? [`${name}: `, value] : [value]];
  });
  return line(...said.flatMap((cell, nth) => (nth === 0 ? cell : [' · ', ...cell])));
}

/** "3", "-0.5", "2.58 s", "40 %": nothing in it says of what. */
const isQuantity = (value: Span): boolean =>
  typeof value === 'string' && /^-?\d+(?:[.,]\d+)*(?: ?(?:%|\p{L}{1,3}))?$/u.test(value);

/** As many first rows as Slack accepts together: by their JSON, and by the text that `lengthOf` counts. */
function fitting<T>(rows: readonly T[], room: number, lengthOf: (row: T) => number = () => 0): T[] {
  let size = 0;
  let text = 0;
  const over = rows.findIndex((row) => {
    size += JSON.stringify(row).length + 1;
    text += lengthOf(row);
    return size > room || text > limits.tableText;
  });
  return over === -1 ? [...rows] : rows.slice(0, over);
}

function textOf(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + cellLength(cell), 0);
}

/** Characters Slack counts for a cell. */
function cellLength(cell: Cell): number {
  if (cell.type === 'raw_number') return String(cell.value).length;
  if (cell.type === 'raw_text') return cell.text.length;
  const inline = cell.elements.flatMap((part) =>
    part.elements.filter((one): one is RichTextElement => 'type' in one),
  );
  return inline.reduce(
    (sum, one) => sum + ('text' in one && typeof one.text === 'string' ? one.text.length : 20),
    0,
  );
}
