/** Rows of one search, and the operators common to both query languages of the sandbox. */

export type Cell = string | number;
export type Row = Readonly<Record<string, Cell>>;

export type Test = (row: Row) => boolean;

/** One row for each combination of the columns, with its number of rows. */
export function countBy(rows: readonly Row[], columns: readonly string[], name: string): Row[] {
  const groups = new Map<string, { row: Row; count: number }>();
  for (const row of rows) {
    const own = Object.fromEntries(columns.map((column) => [column, row[column] ?? '']));
    const key = JSON.stringify(own);
    groups.set(key, { row: own, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  if (columns.length === 0) return [{ [name]: rows.length }];
  return [...groups.values()].map(({ row, count }) => ({ ...row, [name]: count }));
}

export function sortBy(rows: readonly Row[], column: string, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a[column] ?? '', b[column] ?? ''));
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

export function only(rows: readonly Row[], columns: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])));
}

/** Words, quoted strings and single characters of a query, each with its position. */
export interface Token {
  readonly text: string;
  /** The value of a quoted string; absent for everything else. */
  readonly quoted?: string;
  readonly at: number;
}

/** Null for an unclosed quote. */
export function tokensOf(query: string): readonly Token[] | null {
  const found: Token[] = [];
  const form =
    /\s+|\/\/[^\n]*|(?<mark>["'])(?<quoted>(?:(?!\k<mark>)[^\\]|\\.)*)\k<mark>|[A-Za-z_][\w.]*(?:-[\w]+)*|\d[\d.T:Z-]*|[!=<>]=|=~|./gy;
  for (let match = form.exec(query); match !== null; match = form.exec(query)) {
    const [text] = match;
    const quoted = match.groups?.quoted;
    if (text === '"') return null;
    if (/^(\s|\/\/)/.test(text)) continue;
    const value = quoted?.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll(/\\(.)/g, '$1');
    found.push({ text, at: match.index, ...(value === undefined ? {} : { quoted: value }) });
  }
  return found;
}
